//! Claude Code sessions.

use super::*;

#[test]
fn a_line_of_claude_code_is_known_without_the_role_of_its_message() {
    let line = r#"{"type":"assistant","sessionId":"s","message":{"content":[{"type":"tool_use","id":"t","name":"Bash","input":{}}]}}"#;
    assert_eq!(read(Format::ClaudeSession, line)[0].label(), "Run Command");
}

#[test]
fn complaints_of_claude_code_come_without_their_tags() {
    let result = |text: &str| {
        let line = format!(
            r#"{{"type":"user","sessionId":"s","message":{{"content":[{{"type":"tool_result","tool_use_id":"t","is_error":true,"content":"{text}"}}]}}}}"#
        );
        read(Format::ClaudeSession, &line)[0].error.clone().unwrap()
    };
    assert_eq!(&*result("<tool_use_error>Error: No such tool</tool_use_error>"), "Error: No such tool");
    assert_eq!(&*result("<tool_use_error>cut"), "cut");
    assert_eq!(&*result("<html>"), "<html>");
}
