use std::sync::Arc;

use toolprism::{Kind, WireNamespace};
use toolprism_contract::{Registry, ToolMetadata};

struct Mine;

impl ToolMetadata for Mine {
    fn kind(&self) -> Kind {
        Kind::Read
    }

    fn namespace(&self) -> WireNamespace {
        "mine".into()
    }
}

fn main() {
    let _ = Registry::new().register(Arc::new(Mine));
}
