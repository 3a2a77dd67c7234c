//! What harnesses do in their own way when they speak ACP, which has no field for the wire name in its version 1.

/// The ways of one harness in ACP.
#[derive(Clone, Copy, Debug)]
pub struct AcpWays {
    /// Where the wire name stands.
    pub name: AcpName,
    /// A member of `_meta` that only this harness writes.
    pub mark: Option<&'static str>,
    /// Titles of the tool that is run in place of one that does not exist, or whose arguments could not be read.
    pub stand_in: &'static [&'static str],
}

/// Where a harness puts the wire name of a tool.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AcpName {
    /// Nowhere, or in a member of `_meta`.
    Elsewhere,
    /// In the title of the announcement, until a later title takes its place.
    Title,
    /// In the call id: `<name>__<name>_<ms>_<n>`, older `<name>-<ms>-<hex>`.
    CallId,
}

impl AcpWays {
    /// Nothing of its own.
    pub(crate) const NONE: AcpWays = AcpWays { name: AcpName::Elsewhere, mark: None, stand_in: &[] };

    /// The wire name is there.
    pub(crate) const fn name(mut self, name: AcpName) -> AcpWays {
        self.name = name;
        self
    }
}

/// The tool's name in a call id that holds it. Ids of others have such parts too (a UUID may), but no time of thirteen
/// digits, which milliseconds have from 2001 to 2286.
pub(crate) fn name_in_id(id: &str) -> Option<&str> {
    let digits = |text: &str| !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit());
    for (at, _) in id.match_indices("__") {
        let (name, rest) = (id.get(..at)?, id.get(at + 2..)?);
        if let Some(tail) = rest.strip_prefix(name).and_then(|tail| tail.strip_prefix('_'))
            && tail.split('_').all(digits)
        {
            return Some(name);
        }
    }
    let mut parts = id.rsplitn(3, '-');
    let (hex, ms, name) = (parts.next()?, parts.next()?, parts.next()?);
    (ms.len() == 13 && digits(ms) && hex.bytes().all(|b| b.is_ascii_hexdigit()) && !name.is_empty()).then_some(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_found_in_ids_that_hold_them_and_nowhere_else() {
        assert_eq!(name_in_id("read_file__read_file_1796033491372_1"), Some("read_file"));
        assert_eq!(name_in_id("mcp_fs_read-file__mcp_fs_read-file_1_1"), Some("mcp_fs_read-file"));
        assert_eq!(name_in_id("read_file-1796034520068-dc33c0edbc0d2"), Some("read_file"));
        assert_eq!(name_in_id("call_5715e5a030844ca7a72daa72"), None);
        assert_eq!(name_in_id("a__b"), None);
        assert_eq!(name_in_id("3f2b1c9e-1a2b-4c3d-9123-0a1b2c3d4e5f"), None);
        assert_eq!(name_in_id("call-1-2"), None);
    }
}
