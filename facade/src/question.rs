//! What a finalizer is asked: a call, its tools, and what else is known.

use alloc::borrow::Cow;
use alloc::format;
use alloc::vec;
use alloc::vec::Vec;

use toolprism::json::{JsonType, JsonView, RawJson};
use toolprism_repair::{SchemaLimits, StopReason, ToolDefinition};

use crate::base64;
use crate::error::Error;
use crate::members::Members;

/// What is asked.
pub(crate) struct Question<'a> {
    pub(crate) tool_name: Cow<'a, str>,
    pub(crate) args: Cow<'a, [u8]>,
    pub(crate) tools: Vec<ToolDefinition>,
    pub(crate) stop: StopReason,
    pub(crate) max_args_bytes: Option<usize>,
    pub(crate) schema_limits: SchemaLimits,
    pub(crate) no_exact_tool: bool,
    pub(crate) canceled: bool,
}

impl<'a> Question<'a> {
    /// Reads the text of a JSON object.
    pub(crate) fn read(line: &'a [u8]) -> Result<Self, Error> {
        let members = Members::read(line)?;
        let short = members.get("input").is_some();
        let (tool_name, args, tools) = if short { members.short() } else { members.long() }?;
        Ok(Question {
            tool_name,
            args,
            tools,
            stop: members.text("stop")?.map_or(StopReason::Unknown, |stop| StopReason::from_wire(&stop)),
            max_args_bytes: members.size("max_args_bytes")?,
            schema_limits: members.schema_limits()?,
            no_exact_tool: members.flag("no_exact_tool")?,
            canceled: members.flag("canceled")?,
        })
    }
}

type Call<'a> = (Cow<'a, str>, Cow<'a, [u8]>, Vec<ToolDefinition>);

impl<'a> Members<'a> {
    /// `tool_name`, `args` or `args_b64`, and `tools`.
    fn long(self) -> Result<Call<'a>, Error> {
        let name = self.text("tool_name")?.ok_or_else(|| {
            self.missing(
                "\"tool_name\" is missing: give the name that is called, and its \"args\" and \"tools\"; or \"input\"",
            )
        })?;
        let args = self.bytes("args", "args_b64")?.ok_or_else(|| {
            self.missing("\"args\" is missing: give the arguments as a string, or as base64 in \"args_b64\"")
        })?;
        let tools = self
            .tools()?
            .ok_or_else(|| self.missing("\"tools\" is missing: give a list of {\"name\", \"parameters\"}"))?;
        Ok((name, args, tools))
    }

    /// `input`, and `schema`, `tool`, `tools` and `kind` as far as they are there.
    fn short(self) -> Result<Call<'a>, Error> {
        for (name, other) in [("tool_name", "tool"), ("args", "input"), ("args_b64", "input")] {
            if let Some(member) = self.get(name) {
                return Err(self.wrong(member, format!("\"{name}\" does not go with \"input\": use \"{other}\" alone")));
            }
        }
        let input = self.text("input")?.unwrap_or_default();
        let tools = self.tools()?;
        let schema = self.get("schema");
        if let (Some(schema), Some(_)) = (schema, &tools) {
            return Err(self.wrong(schema, "\"schema\" goes with one tool: in \"tools\" it is \"parameters\"".into()));
        }
        let name = self.text("tool")?.unwrap_or_default();
        let (name, args) = match self.text("kind")?.as_deref() {
            Some("tool_name") => (input, Cow::Borrowed(&b"{}"[..])),
            _ => (name, into_bytes(input)),
        };
        let own = || vec![ToolDefinition::new(name.as_ref(), schema.map(compact).unwrap_or_default())];
        let tools = tools.unwrap_or_else(own);
        Ok((name, args, tools))
    }

    fn tools(self) -> Result<Option<Vec<ToolDefinition>>, Error> {
        let Some(tools) = self.get("tools") else { return Ok(None) };
        if tools.json_type() != JsonType::Array {
            return Err(self.wrong(tools, "\"tools\" must be a list".into()));
        }
        tools.items().map(|tool| self.tool(tool)).collect::<Result<_, _>>().map(Some)
    }

    /// A tool: its name alone, or an object with its name and schema.
    fn tool(self, tool: RawJson<'a>) -> Result<ToolDefinition, Error> {
        if let Some(name) = tool.str() {
            return Ok(ToolDefinition::new(name, ""));
        }
        let members = Members { json: tool, ..self };
        let name = if tool.is_object() { members.text("name")? } else { None };
        let name = name.ok_or_else(|| {
            self.wrong(tool, "a tool must be its name, or an object with \"name\" and \"parameters\"".into())
        })?;
        let text = members.bytes("parameters_text", "parameters_b64")?;
        match (tool.get("parameters"), text) {
            (Some(_), Some(_)) => {
                let message = "\"parameters\" does not go with \"parameters_text\" or \"parameters_b64\": give one";
                Err(self.wrong(tool, message.into()))
            }
            (Some(parameters), None) => Ok(ToolDefinition::new(name, compact(parameters))),
            (None, text) => Ok(ToolDefinition::new(name, text.unwrap_or_default())),
        }
    }

    fn schema_limits(self) -> Result<SchemaLimits, Error> {
        let mut limits = SchemaLimits::default();
        let Some(given) = self.get("schema_limits") else { return Ok(limits) };
        if !given.is_object() {
            return Err(self.wrong(given, "\"schema_limits\" must be an object".into()));
        }
        let members = Members { json: given, ..self };
        for (name, member) in given.members() {
            let limit = match name.as_ref() {
                "max_schema_bytes" => &mut limits.max_schema_bytes,
                "max_depth" => &mut limits.max_depth,
                "max_nodes" => &mut limits.max_nodes,
                "max_properties" => &mut limits.max_properties,
                "max_ref_depth" => &mut limits.max_ref_depth,
                _ => {
                    let known = "max_schema_bytes, max_depth, max_nodes, max_properties, max_ref_depth";
                    return Err(self.wrong(member, format!("no limit of this name; known are: {known}")));
                }
            };
            if let Some(count) = members.size(&name)? {
                *limit = count;
            }
        }
        Ok(limits)
    }

    /// Bytes as text in one member or as base64 in the other.
    fn bytes(self, text: &str, base64: &str) -> Result<Option<Cow<'a, [u8]>>, Error> {
        match (self.text(text)?, self.get(base64)) {
            (Some(_), Some(member)) => {
                Err(self.wrong(member, format!("\"{base64}\" does not go with \"{text}\": give one")))
            }
            (text, None) => Ok(text.map(into_bytes)),
            (None, Some(member)) => {
                let bytes = member.str().and_then(|digits| base64::decode(&digits));
                let wrong = || self.wrong(member, format!("\"{base64}\" must be a string of base64, with padding"));
                bytes.map(|bytes| Some(Cow::Owned(bytes))).ok_or_else(wrong)
            }
        }
    }
}

fn into_bytes(text: Cow<'_, str>) -> Cow<'_, [u8]> {
    match text {
        Cow::Borrowed(text) => Cow::Borrowed(text.as_bytes()),
        Cow::Owned(text) => Cow::Owned(text.into_bytes()),
    }
}

/// The text of a value without the space between its tokens. Nothing else changes: keys that come twice stay, and so does
/// the spelling of numbers and strings.
fn compact(value: RawJson<'_>) -> Vec<u8> {
    let (mut inside, mut escaped) = (false, false);
    let kept = value.text().iter().copied().filter(|byte| {
        let space = !inside && byte.is_ascii_whitespace();
        if *byte == b'"' && !escaped {
            inside = !inside;
        }
        escaped = *byte == b'\\' && !escaped;
        !space
    });
    kept.collect()
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn a_schema_loses_nothing_but_space() {
        let text = r#" { "a b" : [ 1.50 , 1E+3,  "x \\" , "y \" z" ] , "a b":\t{ } } "#.replace("\\t", "\t");
        let value = RawJson::parse(&text).unwrap();
        assert_eq!(String::from_utf8(compact(value)).unwrap(), r#"{"a b":[1.50,1E+3,"x \\","y \" z"],"a b":{}}"#);
    }
}
