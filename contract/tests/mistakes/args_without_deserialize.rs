use std::borrow::Cow;

use toolprism_contract::{ListContext, Tool};

#[derive(schemars::JsonSchema)]
struct Args {}

struct Mine;

impl Tool for Mine {
    type Args = Args;
    type Output = String;

    fn id(&self) -> &str {
        "mine"
    }

    fn description(&self, _: &ListContext) -> Cow<'_, str> {
        "".into()
    }
}

fn main() {}
