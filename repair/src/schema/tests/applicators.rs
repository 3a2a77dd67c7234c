//! Keywords that put schemas together, and references.

use super::*;

#[test]
fn combinations() {
    check(
        ALL,
        &[
            (r#"{"anyOf":[{"type":"string"},{"minimum":2}]}"#, &["\"a\"", "2", "null"], &["1"]),
            (r#"{"oneOf":[{"minimum":2},{"maximum":3}]}"#, &["1", "4"], &["2", "\"a\""]),
            (r#"{"allOf":[{"minimum":2},{"maximum":3}]}"#, &["2", "\"a\""], &["1", "4"]),
            (r#"{"not":{"type":"string"}}"#, &["1"], &["\"a\""]),
        ],
    );
    check(
        SINCE_SEVEN,
        &[
            (
                r#"{"if":{"type":"string"},"then":{"minLength":2},"else":{"type":"null"}}"#,
                &["\"ab\"", "null"],
                &["\"a\"", "1"],
            ),
            (r#"{"if":{"type":"string"}}"#, &["\"ab\"", "null"], &[]),
            (r#"{"then":false,"else":false}"#, &["1"], &[]),
        ],
    );
    check(&[FOUR, SIX], &[(r#"{"if":{"type":"string"},"then":{"minLength":2}}"#, &["\"a\""], &[])]);
}

#[test]
fn what_is_left_over_by_all_other_rules() {
    check(
        SINCE_NINETEEN,
        &[
            (r#"{"properties":{"a":{}},"unevaluatedProperties":false}"#, &[r#"{"a":1}"#, "[]"], &[r#"{"b":1}"#]),
            (
                r#"{"allOf":[{"properties":{"a":{}}},{"patternProperties":{"^b":{}}}],"unevaluatedProperties":{"type":"null"}}"#,
                &[r#"{"a":1,"b2":1,"c":null}"#],
                &[r#"{"c":1}"#],
            ),
            (
                r#"{"anyOf":[{"properties":{"a":{"type":"string"}},"required":["a"]},{"properties":{"b":{}},"required":["b"]}],"unevaluatedProperties":false}"#,
                &[r#"{"a":""}"#, r#"{"b":1}"#, r#"{"a":"","b":1}"#],
                &[r#"{"a":1,"b":1}"#, r#"{"a":"","c":1}"#],
            ),
            (
                r#"{"if":{"properties":{"a":{"const":1}},"required":["a"]},"then":{"properties":{"b":{}}},"else":{"properties":{"c":{}}},"unevaluatedProperties":false}"#,
                &[r#"{"a":1,"b":1}"#, r#"{"c":1}"#],
                &[r#"{"a":1,"c":1}"#, r#"{"a":2,"c":1}"#],
            ),
            (
                r##"{"$defs":{"x":{"properties":{"a":{}}}},"$ref":"#/$defs/x","unevaluatedProperties":false}"##,
                &[r#"{"a":1}"#],
                &[r#"{"b":1}"#],
            ),
            (
                r#"{"properties":{"a":{"properties":{"x":{}}}},"unevaluatedProperties":false}"#,
                &[r#"{"a":{"y":1}}"#],
                &[r#"{"x":1}"#],
            ),
            (r#"{"not":{"not":{"properties":{"a":{}}}},"unevaluatedProperties":false}"#, &["{}"], &[r#"{"a":1}"#]),
            (r#"{"allOf":[{"unevaluatedProperties":true}],"unevaluatedProperties":false}"#, &[r#"{"a":1}"#], &[]),
            (r#"{"allOf":[{"properties":{"a":{}}},{"unevaluatedProperties":false}]}"#, &["{}"], &[r#"{"a":1}"#]),
            (
                r#"{"dependentSchemas":{"a":{"properties":{"a":{},"b":{}}}},"unevaluatedProperties":false}"#,
                &[r#"{"a":1,"b":1}"#],
                &[r#"{"b":1}"#],
            ),
            (r#"{"items":{"type":"integer"},"unevaluatedItems":false}"#, &["[1,2]"], &["[\"a\"]"]),
            (r#"{"unevaluatedItems":{"type":"integer"}}"#, &["[1,2]"], &["[\"a\"]"]),
        ],
    );
    check(
        &[NINETEEN],
        &[
            (r#"{"items":[{}],"unevaluatedItems":false}"#, &["[1]"], &["[1,2]"]),
            (r#"{"contains":{"const":1},"unevaluatedItems":false}"#, &[], &["[1]"]),
        ],
    );
    check(
        &[TWENTY],
        &[
            (r#"{"prefixItems":[{}],"unevaluatedItems":false}"#, &["[1]"], &["[1,2]"]),
            (r#"{"allOf":[{"contains":{"const":1}}],"unevaluatedItems":{"const":2}}"#, &["[1,2]"], &["[1,3]"]),
            (
                r#"{"anyOf":[{"prefixItems":[{"const":1}]},{"prefixItems":[{"const":2},{}]}],"unevaluatedItems":false}"#,
                &["[1]", "[2,3]"],
                &["[1,3]"],
            ),
        ],
    );
}

#[test]
fn references() {
    check(
        SINCE_SIX,
        &[
            (
                r##"{"properties":{"a":{"$ref":"#"},"v":{"type":"integer"}},"additionalProperties":false}"##,
                &[r#"{"a":{"a":{"v":1}}}"#],
                &[r#"{"a":{"a":{"v":""}}}"#, r#"{"a":{"b":1}}"#],
            ),
            (
                r##"{"definitions":{"x/y~z w":{"type":"integer"}},"properties":{"a":{"$ref":"#/definitions/x~1y~0z w"}}}"##,
                &[r#"{"a":1}"#],
                &[r#"{"a":""}"#],
            ),
            (
                r##"{"x-any":{"deep":{"type":"integer"}},"properties":{"a":{"$ref":"#/x-any/deep"}}}"##,
                &[r#"{"a":1}"#],
                &[r#"{"a":""}"#],
            ),
            // A circle at one value is a mismatch, in one branch as in all.
            (
                r##"{"definitions":{"x":{"$ref":"#/definitions/y"},"y":{"$ref":"#/definitions/x"}},"properties":{"a":{"$ref":"#/definitions/x"}}}"##,
                &["{}"],
                &[r#"{"a":1}"#],
            ),
            (r##"{"anyOf":[{"$ref":"#"},{"type":"integer"}]}"##, &["1"], &["\"a\""]),
            (r##"{"properties":{"a":{"not":{"$ref":"#/properties/a"}}}}"##, &[r#"{"a":1}"#], &[]),
        ],
    );
    let beside = r##"{"definitions":{"x":{}},"properties":{"a":{"$ref":"#/definitions/x","type":"string"}}}"##;
    check(UP_TO_SEVEN, &[(beside, &[r#"{"a":1}"#], &[])]);
    check(SINCE_NINETEEN, &[(beside, &[r#"{"a":""}"#], &[r#"{"a":1}"#])]);
    check(
        UP_TO_SEVEN,
        &[(
            r##"{"definitions":{"x":{}},"properties":{"a":{"$ref":"#/definitions/x","properties":{"$ref":{}}}}}"##,
            &[r#"{"a":1}"#],
            &[],
        )],
    );
    // An identifier of its own moves the place that references start from.
    check(
        SINCE_NINETEEN,
        &[(
            r##"{"$defs":{"n":{"type":"string"}},"properties":{"a":{"$id":"http://x.y/z","$defs":{"n":{"type":"integer"}},"properties":{"b":{"$ref":"#/$defs/n"}}}}}"##,
            &[r#"{"a":{"b":1}}"#],
            &[r#"{"a":{"b":""}}"#],
        )],
    );
}
