//! The keywords of types, scalars, objects and arrays.

use super::*;

#[test]
fn types_constants_and_enumerations() {
    check(
        ALL,
        &[
            ("{}", &["1", "null", "{}"], &[]),
            (r#"{"type":"integer"}"#, &["1", "1.0", "1e2", "-0"], &["1.5", "\"1\"", "true", "1e1000001"]),
            (r#"{"type":"number"}"#, &["1", "1.5"], &["\"1\"", "null"]),
            (r#"{"type":["string","null"]}"#, &["\"\"", "null"], &["0", "false", "[]", "{}"]),
            (r#"{"type":"boolean"}"#, &["true", "false"], &["0", "\"true\""]),
            (
                r#"{"enum":[1,"a",{"x":[1,2]},null]}"#,
                &["1.0", "\"\\u0061\"", "{\"x\":[1,2e0]}", "null"],
                &["true", "{\"x\":[2,1]}", "{\"x\":[1,2],\"y\":0}", "\"b\""],
            ),
        ],
    );
    check(
        SINCE_SIX,
        &[(r#"{"const":10}"#, &["1e1", "10.0"], &["11", "\"10\""]), (r#"{"const":false}"#, &["false"], &["0", "null"])],
    );
    check(&[FOUR], &[(r#"{"const":10}"#, &["11"], &[])]);
}

#[test]
fn numbers_have_exact_bounds() {
    check(
        ALL,
        &[
            (
                r#"{"minimum":-2,"maximum":3.5}"#,
                &["-2", "3.5", "35e-1", "\"x\""],
                &["-2.0001", "3.50000000000000000001", "-1e1000001", "1e9"],
            ),
            (r#"{"maximum":9007199254740992}"#, &["9007199254740992"], &["9007199254740993"]),
            (r#"{"multipleOf":0.01}"#, &["19.99", "0", "-1.5"], &["0.001", "1e-5"]),
            (r#"{"multipleOf":3}"#, &["9", "3e0"], &["10", "1e300"]),
        ],
    );
    check(
        &[FOUR],
        &[(
            r#"{"minimum":1,"exclusiveMinimum":true,"maximum":2,"exclusiveMaximum":false}"#,
            &["1.1", "2"],
            &["1", "2.1"],
        )],
    );
    check(SINCE_SIX, &[(r#"{"minimum":0,"exclusiveMinimum":1,"exclusiveMaximum":2}"#, &["1.1"], &["1", "2", "0.5"])]);
}

#[test]
fn strings_are_counted_in_characters() {
    check(
        ALL,
        &[
            (
                r#"{"minLength":2,"maxLength":3}"#,
                &["\"äö\"", "\"\\ud83d\\ude00a\"", "\"abc\"", "5"],
                &["\"a\"", "\"\\ud83d\\ude00\"", "\"abcd\""],
            ),
            (r#"{"maxLength":2.0}"#, &["\"ab\""], &["\"abc\""]),
            (r#"{"minLength":1e30}"#, &[], &["\"abc\""]),
            (r#"{"pattern":"^a\\d+$"}"#, &["\"a1\"", "\"a99\"", "1"], &["\"a\"", "\"ba1\"", "\"a1\\n\"", "\"a١\""]),
            (r#"{"pattern":"b"}"#, &["\"abc\""], &["\"ac\""]),
        ],
    );
}

#[test]
fn formats_are_asserted_up_to_draft_7() {
    let cases = r#"{"format":"ipv4"}"#;
    check(UP_TO_SEVEN, &[(cases, &["\"1.2.3.4\"", "4"], &["\"1.2.3\""]), (r#"{"format":"color"}"#, &["\"x\""], &[])]);
    check(SINCE_NINETEEN, &[(cases, &["\"1.2.3\""], &[])]);
}

#[test]
fn objects() {
    check(
        ALL,
        &[
            (r#"{"required":["a","b"]}"#, &[r#"{"a":1,"b":2,"c":3}"#, "[]"], &[r#"{"a":1}"#, "{}"]),
            (
                r#"{"properties":{"a":{"type":"string"},"b":{}},"required":["b","z"]}"#,
                &[r#"{"b":1,"z":1}"#, r#"{"z":0,"\u0062":1,"a":""}"#],
                &[r#"{"b":1}"#, r#"{"a":"","z":1}"#, r#"{"b":1,"z":1,"a":1}"#],
            ),
            (
                r#"{"properties":{"a":{}},"additionalProperties":false}"#,
                &["{}", r#"{"a":1}"#, r#"{"\u0061":1}"#],
                &[r#"{"b":1}"#, r#"{"a":1,"A":1}"#],
            ),
            (
                r#"{"properties":{"a":{}},"patternProperties":{"^x":{"type":"integer"}},"additionalProperties":{"type":"null"}}"#,
                &[r#"{"a":"s","xy":1,"z":null}"#],
                &[r#"{"xy":"s"}"#, r#"{"z":1}"#],
            ),
            (r#"{"minProperties":1,"maxProperties":2}"#, &[r#"{"a":1}"#, "1"], &["{}", r#"{"a":1,"b":1,"c":1}"#]),
        ],
    );
    check(
        SINCE_SIX,
        &[
            (r#"{"propertyNames":{"maxLength":2}}"#, &[r#"{"ab":1}"#, "[]"], &[r#"{"abc":1}"#]),
            (r#"{"properties":{"a":false,"b":true}}"#, &[r#"{"b":1}"#], &[r#"{"a":1}"#]),
        ],
    );
    check(
        UP_TO_SEVEN,
        &[(
            r#"{"dependencies":{"a":["b"],"c":{"required":["d"]}}}"#,
            &["{}", r#"{"a":1,"b":1}"#, r#"{"c":1,"d":1}"#, "[]"],
            &[r#"{"a":1}"#, r#"{"c":1}"#],
        )],
    );
    check(
        SINCE_NINETEEN,
        &[
            (
                r#"{"dependentRequired":{"a":["b"]},"dependentSchemas":{"c":{"required":["d"]}}}"#,
                &["{}", r#"{"a":1,"b":1}"#],
                &[r#"{"a":1}"#, r#"{"c":1}"#],
            ),
            (r#"{"dependencies":{"a":["b"]}}"#, &[r#"{"a":1}"#], &[]),
        ],
    );
}

#[test]
fn many_properties_are_found_in_any_order() {
    let names: alloc::vec::Vec<String> = (0..100).map(|i| format!("p{}", (i * 37) % 100)).collect();
    let properties: alloc::vec::Vec<_> = names.iter().map(|name| format!(r#""{name}":{{"type":"integer"}}"#)).collect();
    let required: alloc::vec::Vec<_> = names.iter().map(|name| format!("\"{name}\"")).collect();
    let text = format!(
        r#"{{"properties":{{{}}},"required":[{}],"additionalProperties":false}}"#,
        properties.join(","),
        required.join(",")
    );
    let schema = compile(&text).unwrap();
    let members = |skip: usize| {
        (0..100).filter(|i| *i != skip).map(|i| format!(r#""p{i}":{i}"#)).collect::<alloc::vec::Vec<_>>().join(",")
    };
    assert_eq!(answer(&schema, &format!("{{{}}}", members(100))), Ok(()));
    for skip in [0, 50, 63, 64, 99] {
        assert_eq!(answer(&schema, &format!("{{{}}}", members(skip))), Err(Invalid::Mismatch), "{skip}");
        assert_eq!(answer(&schema, &format!("{{{},\"p{skip}\":\"s\"}}", members(skip))), Err(Invalid::Mismatch));
    }
}

#[test]
fn arrays() {
    check(
        ALL,
        &[
            (r#"{"items":{"type":"integer"}}"#, &["[]", "[1,2]", "{}"], &["[1,\"a\"]"]),
            (r#"{"minItems":1,"maxItems":2}"#, &["[1]", "[1,2]", "\"\""], &["[]", "[1,2,3]"]),
            (
                r#"{"uniqueItems":true}"#,
                &["[1,true,\"1\"]", "[[1],[2]]"],
                &["[1,1.0]", "[{\"a\":1,\"b\":2},{\"b\":2,\"a\":1}]"],
            ),
            (r#"{"uniqueItems":false}"#, &["[1,1]"], &[]),
        ],
    );
    check(
        &[FOUR, SIX, SEVEN, NINETEEN],
        &[
            (
                r#"{"items":[{"type":"integer"},{}],"additionalItems":false}"#,
                &["[]", "[1]", "[1,2]"],
                &["[\"a\"]", "[1,2,3]"],
            ),
            (r#"{"items":[{}],"additionalItems":{"type":"null"}}"#, &["[1,null]"], &["[1,2]"]),
            (r#"{"items":{},"additionalItems":false}"#, &["[1,2,3]"], &[]),
        ],
    );
    check(
        &[TWENTY],
        &[(
            r#"{"prefixItems":[{"type":"integer"}],"items":{"type":"null"}}"#,
            &["[]", "[1,null]"],
            &["[null]", "[1,1]"],
        )],
    );
    check(SINCE_SIX, &[(r#"{"contains":{"type":"integer"}}"#, &["[\"a\",1]", "{}"], &["[]", "[\"a\"]"])]);
    check(
        SINCE_NINETEEN,
        &[
            (
                r#"{"contains":{"const":1},"minContains":2,"maxContains":3}"#,
                &["[1,1]", "[1,2,1,1]"],
                &["[1]", "[1,1,1,1]"],
            ),
            (r#"{"contains":{"const":1},"minContains":0}"#, &["[]", "[2]"], &[]),
            (r#"{"minContains":2}"#, &["[]"], &[]),
        ],
    );
    check(&[SIX, SEVEN], &[(r#"{"contains":{"const":1},"minContains":2}"#, &["[1]"], &[])]);
}
