//! Schemas, values and answers, keyword by keyword.

mod applicators;
mod bounds;
mod faults;
mod peer;
mod values;

use alloc::format;
use alloc::string::String;

use super::*;
use crate::Reason;
use crate::json::{Limits, parse};

const FOUR: &str = "http://json-schema.org/draft-04/schema#";
const SIX: &str = "http://json-schema.org/draft-06/schema#";
const SEVEN: &str = "http://json-schema.org/draft-07/schema#";
const NINETEEN: &str = "https://json-schema.org/draft/2019-09/schema";
const TWENTY: &str = "https://json-schema.org/draft/2020-12/schema";
const ALL: &[&str] = &[FOUR, SIX, SEVEN, NINETEEN, TWENTY];
const SINCE_SIX: &[&str] = &[SIX, SEVEN, NINETEEN, TWENTY];
const SINCE_SEVEN: &[&str] = &[SEVEN, NINETEEN, TWENTY];
const SINCE_NINETEEN: &[&str] = &[NINETEEN, TWENTY];
const UP_TO_SEVEN: &[&str] = &[FOUR, SIX, SEVEN];

fn compile(text: &str) -> Result<Schema, SchemaFault> {
    Schema::compile(text.as_bytes(), &SchemaLimits::default(), PatternSyntax::Ecma)
}

/// The object `schema`, as a schema of this draft.
fn of_draft(draft: &str, schema: &str) -> String {
    let rest = schema.strip_prefix('{').unwrap();
    let comma = if rest == "}" { "" } else { "," };
    format!(r#"{{"$schema":"{draft}"{comma}{rest}"#)
}

fn answer(schema: &Schema, value: &str) -> Result<(), Invalid> {
    let parsed = parse(value, &Limits::depth(512)).unwrap();
    Validator::new(schema).accepts(schema.root(), parsed.tape.root(value))
}

/// In each of the drafts, the schema takes the good values and not the bad ones.
fn check(drafts: &[&str], cases: &[(&str, &[&str], &[&str])]) {
    for (text, good, bad) in cases {
        for draft in drafts {
            let text = of_draft(draft, text);
            let schema = compile(&text).unwrap_or_else(|fault| panic!("{text}: {fault:?}"));
            for value in *good {
                assert_eq!(answer(&schema, value), Ok(()), "{text} takes {value}");
            }
            for value in *bad {
                assert_eq!(answer(&schema, value), Err(Invalid::Mismatch), "{text} refuses {value}");
            }
        }
    }
}

/// In each of the drafts, the schemas are refused for this reason.
fn refuse(drafts: &[&str], reason: Reason, schemas: &[&str]) {
    for text in schemas {
        for draft in drafts {
            let text = of_draft(draft, text);
            assert_eq!(compile(&text).map_err(|fault| fault.reason).err(), Some(reason), "{text}");
        }
    }
}

#[test]
fn the_document_of_the_schema_is_kept() {
    let text = r#" {"properties":{"a":{"default":[1],"$comment":"x"}}} "#;
    let schema = compile(text).unwrap();
    let a = schema.rules(schema.rules(schema.root()).property("a").unwrap());
    assert_eq!(schema.value(a.place).get("$comment").unwrap().str(), "x");
    assert_eq!(schema.value(a.default.unwrap()).text(), "[1]");
}
