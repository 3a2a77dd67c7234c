//! Schemas that are written to cost time or stack.

use alloc::string::ToString;

use super::*;

#[test]
fn chains_of_references_are_measured_once() {
    let levels = |levels: usize| {
        let level = |i: usize| {
            format!(
                r##""d{i}":{{"properties":{{"a":{{"$ref":"#/$defs/d{0}"}},"b":{{"$ref":"#/$defs/d{0}"}}}}}}"##,
                i + 1
            )
        };
        let all: alloc::vec::Vec<_> = (0..levels).map(level).chain([format!(r#""d{levels}":{{}}"#)]).collect();
        compile(&format!(r##"{{"$ref":"#/$defs/d0","$defs":{{{}}}}}"##, all.join(",")))
            .map(|_| ())
            .map_err(|fault| fault.reason)
    };
    assert_eq!(levels(31), Ok(()));
    assert_eq!(levels(32), Err(Reason::SchemaInvalid));
    // Circles through each other everywhere.
    let all: alloc::vec::Vec<_> = (0..60)
        .map(|i| {
            let to: alloc::vec::Vec<_> =
                (0..20).map(|j| format!(r##"{{"$ref":"#/$defs/d{}"}}"##, (i * 7 + j) % 60)).collect();
            format!(r#""d{i}":{{"anyOf":[{}]}}"#, to.join(","))
        })
        .collect();
    _ = compile(&format!(r#"{{"$defs":{{{}}}}}"#, all.join(",")));
}

#[test]
fn work_is_bounded() {
    // Each level asks the next one twice: 2^30 ways to the same place.
    let level =
        |i: usize| format!(r##""d{i}":{{"anyOf":[{{"$ref":"#/$defs/d{0}"}},{{"$ref":"#/$defs/d{0}"}}]}}"##, i + 1);
    let all: alloc::vec::Vec<_> = (0..30).map(level).chain([r#""d30":false"#.to_string()]).collect();
    let schema = compile(&format!(r##"{{"$ref":"#/$defs/d0","$defs":{{{}}}}}"##, all.join(","))).unwrap();
    assert_eq!(answer(&schema, "1"), Err(Invalid::OutOfSteps));
    // Neither does a denial turn that into an answer.
    let schema = compile(&format!(r##"{{"not":{{"$ref":"#/$defs/d0"}},"$defs":{{{}}}}}"##, all.join(","))).unwrap();
    assert_eq!(answer(&schema, "1"), Err(Invalid::OutOfSteps));
}

#[test]
fn the_stack_is_bounded() {
    // As many rules for each level of the document as a schema can have, with a document of the deepest kind.
    let wrap = |inner: String| format!(r#"{{"allOf":[{inner}]}}"#);
    let rules = (0..13).fold(r##"{"items":{"$ref":"#"}}"##.to_string(), |inner, _| wrap(inner));
    let schema = compile(&rules).unwrap();
    let nested = |depth: usize| format!("{}{}", "[".repeat(depth), "]".repeat(depth));
    assert_eq!(answer(&schema, &nested(60)), Ok(()));
    assert_eq!(answer(&schema, &nested(500)), Err(Invalid::OutOfSteps));
    let usual = compile(r##"{"anyOf":[{"type":"array","items":{"$ref":"#"}},{"type":"null"}]}"##).unwrap();
    assert_eq!(answer(&usual, &nested(128)), Ok(()));
}

#[test]
fn large_patterns_cost_steps() {
    let text = format!("\"{}\"", "a".repeat(60_000));
    let asked = |pattern: &str| answer(&compile(&format!(r#"{{"pattern":"{pattern}"}}"#)).unwrap(), &text);
    assert_eq!(asked("^a+$"), Ok(()));
    assert_eq!(asked("(?=a)b"), Err(Invalid::Mismatch));
    assert_eq!(asked("(a?){9000}b"), Err(Invalid::OutOfSteps));
    let many: alloc::vec::Vec<_> = (0..100).map(|i| format!(r#"{{"pattern":"(a?){{9000}}{i}"}}"#)).collect();
    let refused = compile(&format!(r#"{{"anyOf":[{}]}}"#, many.join(","))).map_err(|fault| fault.reason).err();
    assert_eq!(refused, Some(Reason::SchemaUnsupported));
}
