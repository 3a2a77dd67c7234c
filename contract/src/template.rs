//! Descriptions with places for names that a host may change.

use std::fmt;

use toolprism::Kind;

/// Conditions may stand within each other this deep.
pub const MAX_TEMPLATE_DEPTH: usize = 16;

/// A description with places to fill.
///
/// | in the text | stands for |
/// |---|---|
/// | `${{ tools.by_kind.read }}` | the name of the first tool of that kind that is offered; nothing if there is none |
/// | `${{ tools.by_id.grok_build:grep }}` | the name of that tool, if it is offered |
/// | `${{ params.file_path }}` | the name of the tool's own parameter `file_path` |
/// | `${% if tools.by_kind.read %}` ... `${% else %}` ... `${% endif %}` | one of two texts; `${% else %}` may be left out |
///
/// That is all of it: no filters, no loops, no expressions. All else, `$` and braces among it, is text. A template is checked
/// when its tool is registered, and filling one takes time in proportion to its length.
///
/// ```
/// use toolprism_contract::{Names, Template};
/// let text = "Edits a file.${% if tools.by_kind.read %} Call ${{ tools.by_kind.read }} first.${% endif %}";
/// struct Offered(bool);
/// impl Names for Offered {
///     fn by_kind(&self, _: toolprism::Kind) -> Option<&str> { self.0.then_some("view") }
///     fn by_id(&self, _: &str) -> Option<&str> { None }
///     fn parameter<'n>(&'n self, own: &'n str) -> Option<&'n str> { Some(own) }
/// }
/// let template = Template::parse(text)?;
/// assert_eq!(template.fill(&Offered(true)), "Edits a file. Call view first.");
/// assert_eq!(template.fill(&Offered(false)), "Edits a file.");
/// assert_eq!(Template::parse("${{ tools.by_kind.raed }}").unwrap_err().offset, 0);
/// # Ok::<(), toolprism_contract::TemplateError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Template {
    parts: Vec<Part>,
}

/// What a template is filled from.
pub trait Names {
    /// The name of the first tool of a kind that is offered.
    fn by_kind(&self, kind: Kind) -> Option<&str>;
    /// The name of the tool with a qualified name, if it is offered.
    fn by_id(&self, qualified: &str) -> Option<&str>;
    /// The name of a parameter of the tool's own.
    fn parameter<'n>(&'n self, own: &'n str) -> Option<&'n str>;
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Part {
    Text(String),
    Name(Path),
    /// The parts up to this place are left out if there is no such name.
    Unless(Path, usize),
    /// Go on at this place.
    Jump(usize),
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Path {
    Kind(Kind),
    Id(String),
    Parameter(String),
}

/// Why a text is no template.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TemplateError {
    /// Where, in bytes.
    pub offset: usize,
    /// What is wrong there.
    pub message: String,
}

impl fmt::Display for TemplateError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} at byte {} of the template", self.message, self.offset)
    }
}

impl std::error::Error for TemplateError {}

impl Template {
    /// Whether there is anything to fill in a text.
    pub fn is_one(text: &str) -> bool {
        text.contains("${{") || text.contains("${%")
    }

    /// Reads a template.
    pub fn parse(text: &str) -> Result<Template, TemplateError> {
        let mut parts = Vec::new();
        // Conditions that are open: where each begins in the text, the part to complete, and whether its `else` was there.
        let mut open: Vec<(usize, usize, bool)> = Vec::new();
        let mut at = 0;
        while let Some((start, is_name)) = next_mark(text, at) {
            parts.extend(Part::text(text, at, start));
            let fault = |message: &str| TemplateError { offset: start, message: message.to_owned() };
            let end_mark = if is_name { "}}" } else { "%}" };
            let inner = text.get(start + 3..).unwrap_or_default();
            let len = inner.find(end_mark).ok_or_else(|| fault(&format!("{end_mark:?} is missing")))?;
            let words = inner.get(..len).unwrap_or_default().trim_ascii();
            at = start + 3 + len + 2;
            if is_name {
                parts.push(Part::Name(Path::parse(words).map_err(|why| fault(&why))?));
                continue;
            }
            // `${%- if x -%}`: the dashes are taken, and the space around is left as it is.
            let words = words.trim_start_matches('-').trim_end_matches('-').trim_ascii();
            match (words, words.strip_prefix("if ")) {
                (_, Some(path)) => {
                    if open.len() == MAX_TEMPLATE_DEPTH {
                        return Err(fault("conditions are nested too deeply"));
                    }
                    open.push((start, parts.len(), false));
                    parts.push(Part::Unless(Path::parse(path.trim_ascii()).map_err(|why| fault(&why))?, 0));
                }
                ("else", _) => {
                    let (_, condition, has_else) =
                        open.last_mut().filter(|open| !open.2).ok_or_else(|| fault("`else` has no `if`"))?;
                    *has_else = true;
                    parts.push(Part::Jump(0));
                    let (after, jump) = (parts.len(), parts.len() - 1);
                    complete(&mut parts, *condition, after);
                    *condition = jump;
                }
                ("endif", _) => {
                    let (_, part, _) = open.pop().ok_or_else(|| fault("`endif` has no `if`"))?;
                    let after = parts.len();
                    complete(&mut parts, part, after);
                }
                _ => return Err(fault("only `if NAME`, `else` and `endif` may stand here")),
            }
        }
        if let Some((offset, ..)) = open.first() {
            return Err(TemplateError { offset: *offset, message: "`if` has no `endif`".into() });
        }
        parts.extend(Part::text(text, at, text.len()));
        Ok(Template { parts })
    }

    /// The text with all places filled.
    pub fn fill(&self, names: &impl Names) -> String {
        let mut out = String::new();
        let mut at = 0;
        while let Some(part) = self.parts.get(at) {
            at += 1;
            match part {
                Part::Text(text) => out.push_str(text),
                Part::Name(path) => out.push_str(path.look_up(names).unwrap_or_default()),
                Part::Unless(path, after) if path.look_up(names).is_none() => at = *after,
                Part::Unless(..) => {}
                Part::Jump(after) => at = *after,
            }
        }
        out
    }

    /// The parameters that it names.
    pub(crate) fn parameters(&self) -> impl Iterator<Item = &str> {
        self.parts.iter().filter_map(|part| match part {
            Part::Name(Path::Parameter(name)) | Part::Unless(Path::Parameter(name), _) => Some(name.as_str()),
            _ => None,
        })
    }
}

/// Says where a condition, or the jump over its `else`, goes on.
fn complete(parts: &mut [Part], part: usize, after: usize) {
    if let Some(Part::Unless(_, to) | Part::Jump(to)) = parts.get_mut(part) {
        *to = after;
    }
}

/// The next place to fill: where it begins, and whether it is a name.
fn next_mark(text: &str, from: usize) -> Option<(usize, bool)> {
    let rest = text.get(from..)?;
    let mut dollars = rest.match_indices("${");
    dollars.find_map(|(at, _)| match rest.as_bytes().get(at + 2)? {
        b'{' => Some((from + at, true)),
        b'%' => Some((from + at, false)),
        _ => None,
    })
}

impl Part {
    fn text(text: &str, from: usize, to: usize) -> Option<Part> {
        text.get(from..to).filter(|text| !text.is_empty()).map(|text| Part::Text(text.to_owned()))
    }
}

impl Path {
    fn parse(words: &str) -> Result<Path, String> {
        if let Some(kind) = words.strip_prefix("tools.by_kind.") {
            return Kind::from_wire(kind).map(Path::Kind).ok_or_else(|| format!("there is no kind {kind:?}"));
        }
        if let Some(id) = words.strip_prefix("tools.by_id.") {
            let name = id.parse::<crate::QualifiedName>();
            return name.map(|name| Path::Id(name.as_str().to_owned())).map_err(|why| format!("{id:?}: {why}"));
        }
        match words.strip_prefix("params.") {
            Some(name) if !name.is_empty() => Ok(Path::Parameter(name.to_owned())),
            _ => Err(format!(
                "{words:?} names nothing: write tools.by_kind.KIND, tools.by_id.NAMESPACE:ID or params.NAME"
            )),
        }
    }

    fn look_up<'n>(&'n self, names: &'n impl Names) -> Option<&'n str> {
        match self {
            Path::Kind(kind) => names.by_kind(*kind),
            Path::Id(id) => names.by_id(id),
            Path::Parameter(name) => names.parameter(name),
        }
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    struct Offered;

    impl Names for Offered {
        fn by_kind(&self, kind: Kind) -> Option<&str> {
            (kind == Kind::Read).then_some("view")
        }

        fn by_id(&self, qualified: &str) -> Option<&str> {
            (qualified == "grok_build:grep").then_some("search")
        }

        fn parameter<'n>(&'n self, own: &'n str) -> Option<&'n str> {
            (own == "file_path").then_some("path")
        }
    }

    fn filled(text: &str) -> String {
        Template::parse(text).unwrap().fill(&Offered)
    }

    #[test]
    fn names_are_filled_in_and_all_else_is_text() {
        assert_eq!(filled("use ${{ tools.by_kind.read }}!"), "use view!");
        assert_eq!(filled("${{tools.by_id.GrokBuild:grep}}|${{ params.file_path }}"), "search|path");
        assert_eq!(filled("[${{ tools.by_kind.edit }}]"), "[]");
        for text in ["", "plain", "$HOME ${x} {{ y }} {% z %} $", "ü ${ {"] {
            assert_eq!(filled(text), text);
            assert!(!Template::is_one(text));
        }
    }

    #[test]
    fn conditions_choose() {
        let yes_no = |path: &str| filled(&format!("a${{% if {path} %}}yes${{% else %}}no${{% endif %}}b"));
        assert_eq!(yes_no("tools.by_kind.read"), "ayesb");
        assert_eq!(yes_no("tools.by_kind.edit"), "anob");
        assert_eq!(filled("${%- if params.x -%}1${% endif %}2"), "2");
        let nested = "${% if tools.by_kind.read %}r${% if tools.by_kind.edit %}e${% else %}-${% endif %}${% else %}n${% endif %}.";
        assert_eq!(filled(nested), "r-.");
        let mut deep = "${% if tools.by_kind.read %}".repeat(MAX_TEMPLATE_DEPTH) + "x";
        assert!(Template::parse(&deep).is_err());
        deep += &"${% endif %}".repeat(MAX_TEMPLATE_DEPTH);
        assert_eq!(filled(&deep), "x");
    }

    #[test]
    fn what_is_no_template_is_refused_with_its_place() {
        for (text, offset, words) in [
            ("ab${{ tools.by_kind.read", 2, "is missing"),
            ("${{ tools.by_kind.Read }}", 0, "no kind \"Read\""),
            ("${{ tools.by_id.read }}", 0, "colons"),
            ("${{ params. }}", 0, "names nothing"),
            ("${{ 1 + 1 }}", 0, "names nothing"),
            ("x${% for a in b %}", 1, "only `if NAME`"),
            ("x${% else %}", 1, "has no `if`"),
            ("${% endif %}", 0, "has no `if`"),
            ("x${% if tools.by_kind.read %}", 1, "has no `endif`"),
            ("${% if tools.by_kind.read %}${% else %}${% else %}${% endif %}", 39, "has no `if`"),
            (&"${% if tools.by_kind.read %}".repeat(17), 448, "too deeply"),
        ] {
            let error = Template::parse(text).unwrap_err();
            assert_eq!(error.offset, offset, "{text}: {error}");
            assert!(error.message.contains(words), "{text}: {error}");
        }
    }

    #[test]
    fn parameters_are_known() {
        let template =
            Template::parse("${{ params.a }}${% if params.b %}${{ tools.by_kind.read }}${% endif %}").unwrap();
        assert_eq!(template.parameters().collect::<Vec<_>>(), ["a", "b"]);
    }
}
