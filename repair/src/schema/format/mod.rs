//! The formats of strings that drafts 4 to 7 assert.

mod net;
mod pointer;
mod time;

use super::{Pattern, PatternSyntax};

macro_rules! formats {
    ($($name:ident = $word:literal,)*) => {
        /// A format that is asserted.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub(crate) enum Format {
            $($name,)*
        }

        impl Format {
            /// The format of this name; others are notes to the reader.
            pub(super) fn named(name: &str) -> Option<Format> {
                match name {
                    $($word => Some(Format::$name),)*
                    _ => None,
                }
            }
        }
    };
}

formats! {
    Date = "date",
    Time = "time",
    DateTime = "date-time",
    Duration = "duration",
    Email = "email",
    IdnEmail = "idn-email",
    Hostname = "hostname",
    IdnHostname = "idn-hostname",
    Ipv4 = "ipv4",
    Ipv6 = "ipv6",
    Uri = "uri",
    UriReference = "uri-reference",
    Iri = "iri",
    IriReference = "iri-reference",
    UriTemplate = "uri-template",
    Uuid = "uuid",
    JsonPointer = "json-pointer",
    RelativeJsonPointer = "relative-json-pointer",
    Regex = "regex",
}

impl Format {
    /// Whether `text` has this format.
    pub(super) fn accepts(self, text: &str) -> bool {
        match self {
            Format::Date => time::is_date(text),
            Format::Time => time::is_time(text),
            Format::DateTime => time::is_date_time(text),
            Format::Duration => time::is_duration(text),
            Format::Email => text.is_ascii() && net::is_email(text),
            Format::IdnEmail => net::is_email(text),
            Format::Hostname => text.is_ascii() && net::is_hostname(text),
            Format::IdnHostname => net::is_hostname(text),
            Format::Ipv4 => text.parse::<core::net::Ipv4Addr>().is_ok(),
            Format::Ipv6 => text.parse::<core::net::Ipv6Addr>().is_ok(),
            Format::Uri => text.is_ascii() && net::is_uri(text),
            Format::UriReference => text.is_ascii() && net::is_uri_reference(text),
            Format::Iri => net::is_uri(text),
            Format::IriReference => net::is_uri_reference(text),
            Format::UriTemplate => net::is_uri_template(text),
            Format::Uuid => is_uuid(text),
            Format::JsonPointer => pointer::is_json_pointer(text),
            Format::RelativeJsonPointer => pointer::is_relative_json_pointer(text),
            Format::Regex => Pattern::compile(text, PatternSyntax::Ecma).is_some(),
        }
    }

    /// The steps that one text is worth.
    pub(super) fn steps(self, bytes: usize) -> u32 {
        let base = if self == Format::Regex { 20_000 } else { 1 };
        u32::try_from(bytes / 16).unwrap_or(u32::MAX).saturating_add(base)
    }
}

fn is_uuid(text: &str) -> bool {
    text.len() == 36
        && text.bytes().enumerate().all(|(at, byte)| match at {
            8 | 13 | 18 | 23 => byte == b'-',
            _ => byte.is_ascii_hexdigit(),
        })
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn formats_tell_right_from_wrong() {
        let cases: &[(&str, &[&str], &[&str])] = &[
            (
                "date",
                &["2024-02-29", "1999-12-31", "2000-02-29"],
                &["2023-02-29", "1900-02-29", "2024-13-01", "2024-1-01", "2024-06-31", "24-01-01", "2024-01-0१", ""],
            ),
            (
                "time",
                &["08:30:06Z", "08:30:06.283185Z", "23:59:60Z", "15:59:60-08:00", "08:30:06+05:30", "08:30:06z"],
                &[
                    "08:30:06",
                    "24:00:00Z",
                    "08:60:00Z",
                    "12:00:60Z",
                    "8:30:06Z",
                    "08:30:06.Z",
                    "08:30:06+24:00",
                    "08:30Z",
                    "08:30:06 Z",
                ],
            ),
            (
                "date-time",
                &[
                    "2024-02-29T12:00:00Z",
                    "1963-06-19t08:30:06.28z",
                    "1990-12-31T23:59:60Z",
                    "1937-01-01T12:00:27.87+00:20",
                ],
                &[
                    "2024-02-29 12:00:00Z",
                    "2024-02-29",
                    "2023-02-29T12:00:00Z",
                    "2024-02-29T12:00:00",
                    "not a date",
                    "1998-12-31T23:58:60Z",
                ],
            ),
            (
                "duration",
                &["P4DT12H30M5S", "P1Y", "PT0S", "P2W", "P1M", "PT1M", "P1Y2M3D"],
                &["P", "PT", "P1", "1Y", "P2D1Y", "P1D2H", "PT1D", "P1Y2W", "P1YT", "p1y", "P1.5D"],
            ),
            (
                "email",
                &[
                    "a@example.com",
                    "a.b+c@x.y",
                    "\"joe bloggs\"@example.com",
                    "a@[127.0.0.1]",
                    "a@[IPv6:::1]",
                    "te~st@example.com",
                ],
                &[
                    "",
                    "not-an-email",
                    ".a@x.y",
                    "a.@x.y",
                    "a..b@x.y",
                    "a@",
                    "@x.y",
                    "a b@x.y",
                    "a@-x.y",
                    "a@[127.0.0.300]",
                    "ü@x.y",
                ],
            ),
            ("idn-email", &["실례@실례.테스트", "a@x.y"], &["2962"]),
            (
                "hostname",
                &["www.example.com", "xn--4gbwdl.xn--wgbh1c", "a", "1host", "a.b."],
                &["-a", "a-", "a..b", "", ".", "a_b", "ü.de"],
            ),
            ("ipv4", &["192.168.0.1"], &["1.2.3", "256.1.1.1", "01.2.3.4", "1.2.3.4.5", "1.2.3.4/24"]),
            ("ipv6", &["::1", "::ffff:1.2.3.4", "2001:DB8::1"], &["12345::", "1::2::3", "::1%eth0", "1:2:3:4:5:6:7"]),
            (
                "uri",
                &["http://a.b/c?d#e", "urn:isbn:1", "mailto:a@b.c", "http://[::1]:80/", "file:///x", "http://a/%20"],
                &[
                    "//a/b",
                    "/abc",
                    "abc",
                    "http:// a",
                    "http://a/\\b",
                    "http://[::1",
                    ":a",
                    "http://a/%2",
                    "http://a:b/",
                    "http://ü.de",
                    "1http://a",
                ],
            ),
            (
                "uri-reference",
                &["/abc", "//a/b", "", "#x", "a?b", "http://a", "./a:b"],
                &["\\\\a\\b", "#a\\b", "a b", "1a:b"],
            ),
            ("iri", &["http://ƒøø.ßår/?∂éœ=πîx#πîüx"], &["/abc", "http://a b"]),
            ("iri-reference", &["/âππ", "http://ƒøø"], &["\\\\a"]),
            ("uri-template", &["http://a/{b}/{c:3}{?q*,x}", "a", "{+path}"], &["http://a/{b", "{}", "a}", "{{a}}"]),
            (
                "uuid",
                &["2eb8aa08-aa98-11ea-b4aa-73b441d16380", "2EB8AA08-AA98-11EA-B4AA-73B441D16380"],
                &[
                    "2eb8aa08aa9811eab4aa73b441d16380",
                    "2eb8aa08-aa98-11ea-b4aa-73b441d1638",
                    "2eb8aa08-aa98-11ea-b4ga-73b441d16380",
                ],
            ),
            ("json-pointer", &["", "/", "/a~1b/~0", "/foo/0"], &["a", "/~", "/~2", "#/a"]),
            ("relative-json-pointer", &["0", "1/a", "2#", "10/x"], &["/a", "-1/a", "01/a", "0##", "", "a"]),
            ("regex", &["^a(?=b)", "[a-z]+\\d", "(?<n>x)\\k<n>"], &["(", "[a", "^*"]),
        ];
        for (name, good, bad) in cases {
            let format = Format::named(name).unwrap();
            for text in *good {
                assert!(format.accepts(text), "{name}: {text}");
            }
            for text in *bad {
                assert!(!format.accepts(text), "{name}: {text}");
            }
        }
        assert_eq!(Format::named("color"), None);
    }
}
