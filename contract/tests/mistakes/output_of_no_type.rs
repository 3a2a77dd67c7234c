use std::borrow::Cow;

use toolprism_contract::{ListContext, NoArgs, Tool};

#[derive(serde::Serialize)]
struct Found {}

struct Mine;

impl Tool for Mine {
    type Args = NoArgs;
    type Output = Found;

    fn id(&self) -> &str {
        "mine"
    }

    fn description(&self, _: &ListContext) -> Cow<'_, str> {
        "".into()
    }
}

fn main() {}
