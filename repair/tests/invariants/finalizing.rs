use toolprism::json::Cursor;
use toolprism_repair::{
    Action, Allowed, CompletedCall, Engine, Judgement, Meta, Options, Profile, Severity, StopReason, ToolDefinition,
};

/// Schemas that between them have every kind of place that arguments can be mended at.
pub const SCHEMAS: [&str; 6] = [
    "",
    r#"{"type": "object", "properties": {"path": {"type": "string"}, "limit": {"type": "integer"}, "all": {"type": "boolean"}},
        "required": ["path"], "additionalProperties": false}"#,
    r#"{"type": "object", "properties": {"mode": {"enum": ["fast", "slow"]}, "v": {"const": 1}, "n": {"type": "number", "default": 1.50},
        "tags": {"type": "array", "items": {"type": "string"}}}, "required": ["mode", "v"]}"#,
    r##"{"$ref": "#/$defs/node", "$defs": {"node": {"type": "object", "properties": {"a": {"type": ["string", "null"]},
        "next": {"$ref": "#/$defs/node"}}, "additionalProperties": false}}}"##,
    r#"{"$schema": "http://json-schema.org/draft-07/schema#", "type": "object", "patternProperties": {"^x_": {"type": "integer"}},
        "additionalProperties": {"anyOf": [{"type": "string", "maxLength": 3}, {"type": "array", "uniqueItems": true}]}}"#,
    r#"{"type": "object", "properties": {"input": {"type": "string"}}, "required": ["input"], "additionalProperties": false}"#,
];

/// The names that calls are made by; only the first is the tool's own.
const NAMES: [&str; 4] = ["read_file", "Read-File", "functions.read_file", "write"];

const MAX_ARGS_BYTES: usize = 512;

/// Any bytes as arguments, of a tool with the schema that the first byte selects, by both profiles.
pub fn finalizing(bytes: &[u8]) {
    let Some((select, args)) = bytes.split_first() else { return };
    let select = usize::from(*select);
    let schema = SCHEMAS[select % SCHEMAS.len()];
    let tool_name = NAMES[select / SCHEMAS.len() % NAMES.len()];
    let tools = [ToolDefinition::new("read_file", schema), ToolDefinition::new("bash", "{}")];
    let stop = if select >= 128 { StopReason::Length } else { StopReason::Unknown };
    let meta = Meta { stop, ..Meta::default() };
    let call = CompletedCall { tool_call_id: "c1", tool_name, args_json: args };
    for options in [Options::guarded(), Options::reference()] {
        let engine = Engine::new(Options { max_args_bytes: MAX_ARGS_BYTES, ..options.clone() });
        let judged = engine.judge(&call, &tools, &meta);
        check(&judged, &call, options.profile);
        assert_eq!(engine.judge(&call, &tools, &meta), judged, "a schema that is kept judges as it did at first");
        if judged.action == Action::Rewrite {
            let tool_name = judged.tool_name.as_deref().unwrap_or(tool_name);
            let args_json = judged.args.as_ref().map_or(args, |args| args.as_bytes());
            let again = engine.judge(&CompletedCall { tool_name, args_json, ..call }, &tools, &meta);
            assert_eq!(again.action, Action::Pass, "{judged:?} becomes {again:?}");
        }
        if options.profile == Profile::Guarded {
            switched_off(&judged, &call, &tools, &meta);
        }
    }
}

fn check(judged: &Judgement, call: &CompletedCall<'_>, profile: Profile) {
    let original = call.args_json;
    match judged.action {
        Action::Pass | Action::Reject => {
            assert_eq!((&judged.tool_name, &judged.args), (&None, &None), "{judged:?}");
            assert!(judged.changes.is_empty(), "{judged:?}");
        }
        Action::Rewrite => {
            assert!(judged.tool_name.is_some() || judged.args.is_some(), "nothing is rewritten: {judged:?}");
            let args = judged.args.as_ref().map_or(original, |args| args.as_bytes());
            assert!(args.len() <= MAX_ARGS_BYTES && is_json(args), "{judged:?}");
        }
    }
    for change in &judged.changes {
        assert!(change.offset <= original.len(), "{change:?}");
        assert!(profile == Profile::Reference || change.code.severity() != Severity::Inserted, "{change:?}");
    }
    if let Some(fault) = &judged.fault {
        assert!(judged.action == Action::Reject && profile == Profile::Guarded, "{judged:?}");
        assert!(fault.offset <= original.len(), "{fault:?}");
    }
}

/// A change that is switched off is not made.
fn switched_off(judged: &Judgement, call: &CompletedCall<'_>, tools: &[ToolDefinition], meta: &Meta<'_>) {
    for change in &judged.changes {
        let allowed = Allowed::ALL.without(change.code);
        let engine = Engine::new(Options { allowed, max_args_bytes: MAX_ARGS_BYTES, ..Options::guarded() });
        let without = engine.judge(call, tools, meta);
        assert!(without.changes.iter().all(|other| other.code != change.code), "{without:?}");
        check(&without, call, Profile::Guarded);
    }
}

fn is_json(text: &[u8]) -> bool {
    let mut cursor = Cursor::new(text);
    cursor.strict_value().is_ok() && text[cursor.offset()..].iter().all(|byte| b" \t\r\n".contains(byte))
}
