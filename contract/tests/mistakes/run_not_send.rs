use std::borrow::Cow;
use std::rc::Rc;

use toolprism_contract::{CallContext, ListContext, NoArgs, Tool, ToolError};

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

    async fn run(&self, _: &CallContext, _: NoArgs) -> Result<String, ToolError> {
        let text = Rc::new("text".to_owned());
        std::future::ready(()).await;
        Ok(text.to_string())
    }
}

fn main() {}
