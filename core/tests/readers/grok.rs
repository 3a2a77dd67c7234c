//! Grok Build's updates.

use super::*;

fn log(updates: &[&str]) -> Vec<ToolCall> {
    let line = |update: &&str| {
        format!(r#"{{"timestamp":1,"method":"session/update","params":{{"sessionId":"s","update":{{{update}}}}}}}"#)
            + "\n"
    };
    read(Format::GrokUpdates, &updates.iter().map(line).collect::<String>())
}

#[test]
fn a_subagent_belongs_to_the_call_with_its_description_else_to_the_latest() {
    let start = |id: &str, name: &str, description: &str| {
        format!(
            r#""sessionUpdate":"tool_call","toolCallId":"{id}","title":"{name}","rawInput":{{"description":"{description}"}}"#
        )
    };
    let spawned = |child: &str, description: &str| {
        format!(r#""sessionUpdate":"subagent_spawned","child_session_id":"{child}","description":"{description}""#)
    };
    let calls = log(&[
        &start("a", "spawn_subagent", "first"),
        &start("b", "Task", "second"),
        &start("c", "todo_write", "third"),
        &spawned("child-a", "first"),
        &spawned("child-b", "another"),
        &spawned("child-c", "third"),
    ]);
    let started = |id: &str| call(&calls, id).started.as_deref();
    assert_eq!((started("a"), started("b")), (Some("child-a"), Some("child-b")));
    assert_eq!(started("c"), None, "a tool that starts none");
}
