//! Previews of what tools put out.

use alloc::format;
use alloc::string::String;
use alloc::vec;

use toolprism::json::JsonView;
use toolprism::output::{self, Bounds};

use crate::error::{Error, object};
use crate::record::{Record, object_text};

/// Start and end of an output, with exact counts of what is left out.
///
/// ```
/// let mut preview = toolprism_facade::OutputPreview::new(br#"{"head_lines":1,"tail_lines":1}"#)?;
/// assert_eq!(preview.replace("one\ntwo\n"), "one\ntwo\n");
/// assert_eq!(preview.replace("one\ntwo\nthree\n"), "three\n", "only what is new");
/// assert_eq!(
///     preview.state(),
///     r#"{"head":"one\n","tail":"three\n","bytes":14,"lines":3,"omitted_bytes":4,"omitted_lines":1,"binary":false,"other_blocks":0}"#,
/// );
/// # Ok::<(), toolprism_facade::Error>(())
/// ```
pub struct OutputPreview(output::OutputPreview);

/// The names of the bounds.
const BOUNDS: [&str; 4] = ["head_lines", "head_bytes", "tail_lines", "tail_bytes"];

impl OutputPreview {
    /// Empty. Bounds, as a JSON object, all of them optional: `head_lines`, `head_bytes`, `tail_lines`, `tail_bytes`, as
    /// [`Bounds`] has them.
    pub fn new(bounds: &[u8]) -> Result<Self, Error> {
        let json = object(bounds)?;
        let usual = Bounds::default();
        let mut found = [usual.head_lines, usual.head_bytes, usual.tail_lines, usual.tail_bytes];
        for (name, bound) in BOUNDS.iter().zip(&mut found) {
            if let Some(member) = json.get(name).filter(|member| !member.is_null()) {
                let given = member.as_i64().and_then(|n| usize::try_from(n).ok());
                *bound = given.ok_or_else(|| {
                    Error::wrong_type(bounds, member, format!("\"{name}\" must be a whole number, 0 or more"))
                })?;
            }
        }
        let [head_lines, head_bytes, tail_lines, tail_bytes] = found;
        Ok(OutputPreview(output::OutputPreview::with_bounds(Bounds { head_lines, head_bytes, tail_lines, tail_bytes })))
    }

    /// Takes more of the output.
    pub fn append(&mut self, text: &str) {
        self.0.append(text);
    }

    /// Takes the whole output as it is now, and gives what is new of it.
    pub fn replace<'t>(&mut self, whole: &'t str) -> &'t str {
        self.0.replace(whole)
    }

    /// As [`append`](Self::append), for output as agents send it: content blocks, or an object that has text. Whether there was any.
    pub fn append_view<V: JsonView>(&mut self, output: &V) -> bool {
        self.0.append_with(output)
    }

    /// As [`replace`](Self::replace), for output as agents send it. Whether there was any text.
    pub fn replace_view<V: JsonView>(&mut self, output: &V) -> bool {
        self.0.replace_with(output)
    }

    /// What is shown, and how much there is, as a JSON object.
    pub fn state(&self) -> String {
        let preview = &self.0;
        let record: Record<'_> = vec![
            ("head", preview.head().into()),
            ("tail", preview.tail().into()),
            ("bytes", preview.bytes().into()),
            ("lines", preview.lines().into()),
            ("omitted_bytes", preview.omitted_bytes().into()),
            ("omitted_lines", preview.omitted_lines().into()),
            ("binary", preview.is_binary().into()),
            ("other_blocks", preview.other_blocks().into()),
        ];
        object_text(&record)
    }
}
