//! Runs the cases of `conformance/faces.jsonl` and `partial.jsonl` through the component: `toolprism-component-host COMPONENT`.

use std::fs;
use std::path::Path;

use serde_json::Value;
use wasmtime::component::{Component, Linker, ResourceAny, bindgen};
use wasmtime::error::{Context, ensure, format_err};
use wasmtime::{Engine, Result, Store};

bindgen!({ path: "../../wit", world: "tools" });

use exports::toolprism::tools::types::Error;

/// What a call gives: text, nothing, or an error.
type Answer = std::result::Result<Option<String>, Error>;

fn main() -> Result<()> {
    let file = std::env::args().nth(1).context("usage: toolprism-component-host COMPONENT")?;
    let engine = Engine::default();
    let component = Component::from_file(&engine, file)?;
    let mut store = Store::new(&engine, ());
    let tools = Tools::instantiate(&mut store, &component, &Linker::new(&engine))?;
    let finalizer = tools.toolprism_tools_finalizing().finalizer().call_create(&mut store, "{}")??;
    let mut host = Host { tools, store, finalizer };

    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../../conformance");
    let manifest: Value = serde_json::from_slice(&fs::read(folder.join("manifest.json"))?)?;
    let mut count = 0;
    for (name, run) in [("faces", Host::run as fn(&mut Host, &Value) -> Result<()>), ("partial", Host::stream)] {
        let cases = fs::read_to_string(folder.join(format!("{name}.jsonl")))?;
        ensure!(manifest[name] == cases.lines().count(), "cases are missing");
        for line in cases.lines() {
            let case: Value = serde_json::from_str(line)?;
            run(&mut host, &case).with_context(|| format!("the case {line}"))?;
            count += 1;
        }
    }
    println!("Rust: {count} cases");
    Ok(())
}

/// The component at work.
struct Host {
    tools: Tools,
    store: Store<()>,
    finalizer: ResourceAny,
}

impl Host {
    /// Fails if a case gives something else than it says.
    fn run(&mut self, case: &Value) -> Result<()> {
        let text = |name: &str| case[name].as_str().unwrap_or_default();
        let answer = self.answer(text("op"), text("input"), text("second"))?;
        let equal = match &answer {
            Ok(answer) => case.get("error").is_none() && case["answer"].as_str() == answer.as_deref(),
            Err(error) => case["error"] == error.kind,
        };
        ensure!(equal, "gave {answer:?}");
        Ok(())
    }

    /// Pushes the arguments of a case byte by byte, and fails if something else is visible than it says.
    fn stream(&mut self, case: &Value) -> Result<()> {
        let Host { tools, store, .. } = self;
        let inputs = tools.toolprism_tools_partial().partial_input();
        let mode = if case["lenient"] == true { "lenient" } else { "strict" };
        let input = inputs.call_create(&mut *store, &format!("{{\"mode\":\"{mode}\"}}"))??;
        let steps = case["steps"].as_array().context("no steps")?;
        let doc = case["doc"].as_str().unwrap_or_default();
        for (at, byte) in doc.bytes().enumerate() {
            inputs.call_push(&mut *store, input, &[byte])?;
            let visible: Value = serde_json::from_str(&inputs.call_visible(&mut *store, input)?)?;
            let closed = inputs.call_is_complete(&mut *store, input)?;
            let step = steps.iter().rfind(|step| step[0].as_u64() <= Some(at as u64 + 1)).context("no step")?;
            ensure!(step[1] == visible && step[2] == closed, "after {} bytes {visible} is visible", at + 1);
        }
        let state: Value = serde_json::from_str(&inputs.call_state(&mut *store, input)?)?;
        let fault = case.get("fault").unwrap_or(&Value::Null);
        let same = ["code", "offset"].into_iter().all(|name| state["fault"][name] == fault[name]);
        ensure!(same, "the state is {state}");
        input.resource_drop(store)?;
        Ok(())
    }

    fn answer(&mut self, op: &str, input: &str, second: &str) -> Result<Answer> {
        let Host { tools, store, finalizer } = self;
        let meta = tools.toolprism_tools_meta();
        Ok(match op {
            "identify" => tools.toolprism_tools_identity().call_identify(store, input)?.map(Some),
            "parse_meta" => meta.call_parse(store, input)?,
            "parse_meta_strict" => meta.call_parse_strict(store, input)?,
            "stamp_meta" => meta.call_stamp(store, input, second)?.map(Some),
            "read_session" => {
                let session = tools.toolprism_tools_session();
                session.call_read_session(store, input.as_bytes(), "{}")?.map(Some)
            }
            "groups" | "runs" => {
                let ledgers = tools.toolprism_tools_ledger().call_ledger();
                let ledger = ledgers.call_create(&mut *store, "{}")??;
                ledgers.call_push(&mut *store, ledger, input.as_bytes())??;
                ledgers.call_finish(&mut *store, ledger)?;
                let found = if op == "groups" {
                    ledgers.call_groups(&mut *store, ledger, second)?
                } else {
                    ledgers.call_runs(&mut *store, ledger, second)?
                };
                ledger.resource_drop(store)?;
                found.map(Some)
            }
            "finalize" => {
                let finalizers = tools.toolprism_tools_finalizing().finalizer();
                finalizers.call_finalize(store, *finalizer, input)?.map(Some)
            }
            _ => return Err(format_err!("no operation has the name {op}")),
        })
    }
}
