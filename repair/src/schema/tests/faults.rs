//! Schemas that are refused, and what is said of them.

use super::*;

#[test]
fn what_is_no_schema_of_the_draft_is_not_supported() {
    let bad = &[
        r#"{"type":"strin"}"#,
        r#"{"type":[]}"#,
        r#"{"type":["string","string"]}"#,
        r#"{"type":7}"#,
        r#"{"properties":[]}"#,
        r#"{"properties":{"a":1}}"#,
        r#"{"required":"a"}"#,
        r#"{"required":["a","a"]}"#,
        r#"{"required":[1]}"#,
        r#"{"enum":"x"}"#,
        r#"{"minLength":-1}"#,
        r#"{"minLength":1.5}"#,
        r#"{"maxItems":"1"}"#,
        r#"{"pattern":"("}"#,
        r#"{"pattern":5}"#,
        r#"{"patternProperties":{"[":{}}}"#,
        r#"{"items":5}"#,
        r#"{"uniqueItems":1}"#,
        r#"{"multipleOf":0}"#,
        r#"{"multipleOf":-1}"#,
        r#"{"minimum":"1"}"#,
        r#"{"anyOf":[]}"#,
        r#"{"anyOf":{}}"#,
        r#"{"oneOf":[1]}"#,
        r#"{"not":[]}"#,
        r#"{"additionalProperties":"no"}"#,
        r#"{"title":1}"#,
        r#"{"description":null}"#,
        r#"{"format":1}"#,
        r#"{"definitions":{"x":{"type":"y"}}}"#,
        r#"{"dependencies":{"a":"b"}}"#,
        r#"{"dependencies":{"a":["b","b"]}}"#,
        r##"{"title":"x","properties":{"a":{"$ref":"#/title"}}}"##,
        r##"{"x":{"type":"y"},"properties":{"a":{"$ref":"#/x"}}}"##,
        r#"{"pattern":"((((a{100}){100}){100}){100})"}"#,
    ];
    refuse(ALL, Reason::SchemaUnsupported, bad);
    refuse(
        &[FOUR],
        Reason::SchemaUnsupported,
        &[
            r#"{"required":[]}"#,
            r#"{"enum":[]}"#,
            r#"{"enum":[1,1.0]}"#,
            r#"{"exclusiveMinimum":1,"minimum":0}"#,
            r#"{"exclusiveMinimum":true}"#,
            r#"{"properties":{"a":true}}"#,
            r#"{"items":true}"#,
            r#"{"dependencies":{"a":[]}}"#,
            r#"{"id":1}"#,
        ],
    );
    refuse(&[SIX], Reason::SchemaUnsupported, &[r#"{"enum":[]}"#, r#"{"enum":[1,1]}"#]);
    refuse(
        SINCE_SIX,
        Reason::SchemaUnsupported,
        &[
            r#"{"exclusiveMinimum":true,"minimum":0}"#,
            r#"{"contains":1}"#,
            r#"{"propertyNames":[]}"#,
            r#"{"examples":{}}"#,
            r#"{"$ref":5}"#,
            r#"{"$id":5}"#,
        ],
    );
    refuse(SINCE_SEVEN, Reason::SchemaUnsupported, &[r#"{"if":1}"#, r#"{"readOnly":"yes"}"#, r#"{"$comment":1}"#]);
    refuse(
        SINCE_NINETEEN,
        Reason::SchemaUnsupported,
        &[
            r#"{"$defs":{"a":1}}"#,
            r#"{"minContains":-1}"#,
            r#"{"dependentRequired":{"a":"b"}}"#,
            r#"{"unevaluatedItems":1}"#,
            r#"{"deprecated":1}"#,
            r#"{"$anchor":"1"}"#,
            r##"{"$id":"http://a/b#c"}"##,
            r#"{"$recursiveRef":1}"#,
        ],
    );
    refuse(
        &[TWENTY],
        Reason::SchemaUnsupported,
        &[r#"{"items":[{}]}"#, r#"{"prefixItems":[]}"#, r#"{"prefixItems":{}}"#],
    );
    check(
        SINCE_SEVEN,
        &[(r#"{"enum":[]}"#, &[], &["1"]), (r#"{"enum":[1,1]}"#, &["1"], &[]), (r#"{"required":[]}"#, &["{}"], &[])],
    );
    check(
        &[FOUR],
        &[(
            r#"{"additionalProperties":false,"additionalItems":true,"examples":1,"if":7,"$ref":5}"#,
            &["{}"],
            &[r#"{"a":1}"#],
        )],
    );
}

#[test]
fn roots_that_are_no_objects() {
    let all = |text: &str| compile(text).map(|schema| answer(&schema, "{}")).map_err(|fault| fault.reason);
    assert_eq!(all("true"), Ok(Ok(())));
    assert_eq!(all("false"), Ok(Err(Invalid::Mismatch)));
    for text in ["[]", "42", "\"object\"", "null"] {
        assert_eq!(all(text), Err(Reason::SchemaUnsupported), "{text}");
    }
}

#[test]
fn faults_name_the_place_and_the_way_out() {
    let fault = |text: &str| compile(text).map(|_| ()).unwrap_err();
    let at = |text: &str| fault(text).path;
    assert_eq!(at(r#"{"properties":{"a/b~c":{"items":{"type":"x"}}}}"#), "/properties/a~1b~0c/items/type");
    assert_eq!(at(r#"{"anyOf":[{},{"minLength":-1}]}"#), "/anyOf/1/minLength");
    assert_eq!(at(r#"{"patternProperties":{"[":{}}}"#), "/patternProperties/[");
    assert_eq!(at(&format!(r#"{{"properties":{{"{}":{{"type":1}}}}}}"#, "ä".repeat(300))).chars().count(), 256);
    let external = fault(r#"{"properties":{"a":{"$ref":"other.json"}}}"#);
    assert_eq!((external.reason, &*external.path), (Reason::SchemaInvalid, "/properties/a/$ref"));
    assert!(external.message.contains("$defs"), "{}", external.message);
}
