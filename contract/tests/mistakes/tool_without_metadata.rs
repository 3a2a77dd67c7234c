use std::borrow::Cow;
use std::sync::Arc;

use toolprism_contract::{ListContext, NoArgs, Registry, Tool};

struct Mine;

impl Tool for Mine {
    type Args = NoArgs;
    type Output = String;

    fn id(&self) -> &str {
        "mine"
    }

    fn description(&self, _: &ListContext) -> Cow<'_, str> {
        "".into()
    }
}

fn main() {
    let _ = Registry::new().register(Arc::new(Mine));
}
