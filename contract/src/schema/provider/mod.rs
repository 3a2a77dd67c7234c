//! placeholder
use super::*;
#[derive(Clone, Copy, Debug)]
pub enum Provider {
    OpenAiStrict,
}
#[derive(Clone, Debug)]
pub struct Note;
#[derive(Clone, Debug)]
pub struct Unsupported;
#[derive(Clone, Debug)]
pub struct Adapted {
    pub schema: Value,
}
pub(super) fn adapt(json: &Value, _: Provider) -> Result<Adapted, Unsupported> {
    Ok(Adapted { schema: json.clone() })
}
