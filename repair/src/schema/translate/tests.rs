//! What expressions match, in either syntax.

use crate::schema::{Pattern, PatternSyntax};

const BOTH: &[PatternSyntax] = &[PatternSyntax::Linear, PatternSyntax::Ecma];
const LINEAR: &[PatternSyntax] = &[PatternSyntax::Linear];
const ECMA: &[PatternSyntax] = &[PatternSyntax::Ecma];

type Cases = [(&'static str, &'static [&'static str], &'static [&'static str])];

fn check(syntaxes: &[PatternSyntax], cases: &Cases) {
    for syntax in syntaxes {
        for (text, good, bad) in cases {
            let pattern = Pattern::compile(text, *syntax).unwrap_or_else(|| panic!("{syntax:?} takes {text}"));
            good.iter().for_each(|text_| assert!(pattern.matches(text_), "{syntax:?}: {text} matches {text_:?}"));
            bad.iter().for_each(|text_| assert!(!pattern.matches(text_), "{syntax:?}: {text} misses {text_:?}"));
        }
    }
}

fn refuse(syntaxes: &[PatternSyntax], texts: &[&str]) {
    for syntax in syntaxes {
        texts.iter().for_each(|text| assert!(Pattern::compile(text, *syntax).is_none(), "{syntax:?} refuses {text}"));
    }
}

#[test]
fn what_both_syntaxes_have() {
    check(
        BOTH,
        &[
            ("", &["", "x"], &[]),
            (r"^\d{2,3}$", &["12", "123"], &["1", "1234", "12\n", "١٢"]),
            (r"^\w+$", &["a_9"], &["ä", "a b"]),
            (r"^[\w.-]+$", &["a.b-c"], &["a b"]),
            (r"^[^\d]$", &["a", "ä"], &["1"]),
            (r"^[\D5]$", &["a", "5"], &["4"]),
            (r"\bab\b", &["x ab y", "äab"], &["xab"]),
            (r"^a\Bb$", &["ab"], &["a b"]),
            (r"^a\/b\.c\-d\{\}$", &["a/b.c-d{}"], &["a/bxc-d{}"]),
            (r"^{a}$", &["{a}"], &["a"]),
            (r"^x{,2}$", &["x{,2}"], &["xx"]),
            (r"^[a&&b~~-]$", &["&", "~", "-"], &["c"]),
            (r"^[[]$", &["["], &["]"]),
            (r"^[+--]$", &["+", ",", "-"], &["."]),
            (r"^(?:a|b)+?$", &["abab"], &["c"]),
            (r"^(?<n>a)b$", &["ab"], &["a"]),
            (r"^\x41\t$", &["A\t"], &["x41t"]),
            (r"^\p{Lu}\P{Lu}$", &["Ää"], &["ÄÄ"]),
            (r"^\p{Greek}$", &["α"], &["a"]),
            (r"^[\p{L}]$", &["ß"], &["1"]),
            ("^ä#  $", &["ä#  "], &["ä"]),
            (r"(?i)^ÄB$", &["äb"], &["ac"]),
            (r"^a.c$", &["abc", "aäc"], &["a\nc"]),
        ],
    );
    refuse(
        BOTH,
        &[
            "(",
            ")",
            "[a",
            "a**",
            "a++",
            "*a",
            "+",
            r"\",
            "[b-a]",
            "(?x)a",
            "(?",
            "(?<n",
            r"\p{Nothing}",
            r"\y",
            "a{2}{3}",
            "((a{1000}){1000}){9}",
        ],
    );
}

#[test]
fn what_only_re2_has() {
    check(
        LINEAR,
        &[
            (r"^[[:alpha:]]+$", &["ab"], &["1"]),
            (r"^[]a]$", &["]", "a"], &["b"]),
            (r"^\x{1F600}\101\a$", &["😀A\u{7}"], &[]),
            (r"\Aa\z", &["a"], &["a\n"]),
            (r"^\Qa.b\E$", &["a.b"], &["axb"]),
            (r"^(?P<n>a)$", &["a"], &["b"]),
            (r"^\s$", &[" ", "\u{c}"], &["\u{b}", "\u{a0}"]),
            (r"^\pL$", &["ä"], &["1"]),
            ("^.$", &["\r", "\u{2028}"], &["\n"]),
        ],
    );
    refuse(
        LINEAR,
        &[r"(?=a)", r"(?!a)", r"(?<=a)b", r"(a)\1", r"\u0041", r"\cA", "[^]", r"a{1001}", r"\Z", r"(?<n>a)\k<n>"],
    );
}

#[test]
fn what_only_ecmascript_has() {
    check(
        ECMA,
        &[
            (r"^\u0041\u{1F600}\ud83d\ude00$", &["A😀😀"], &[]),
            (r"^[\u0041-\u0043]$", &["B"], &["D"]),
            (r"^[^]$", &["\n"], &["", "ab"]),
            ("[]", &[], &["", "a"]),
            (r"^\cJ\0$", &["\n\0"], &[]),
            (r"^\s$", &["\u{b}", "\u{a0}", "\u{feff}"], &["a"]),
            (r"^[\S]$", &["a"], &["\u{2028}"]),
            ("^.$", &["ä"], &["\r", "\u{2028}"]),
            (r"^[\b]$", &["\u{8}"], &["b"]),
            (r"^[a-\d]$", &["a", "-", "5"], &["b"]),
            (r"^(?=.*\d)[a-z\d]{3,}$", &["ab1"], &["abc", "a1"]),
            (r"^(?!x)\w+(?<=y)$", &["ay"], &["xy", "ab"]),
            (r"^(a|b)\1$", &["aa"], &["ab"]),
            (r"^(?<q>a|b)\k<q>$", &["bb"], &["ab"]),
            (r"(?!x)\bab\b", &["-ab-"], &["xab"]),
            (
                r"^(?!\.)(?!.*\.\.)([A-Za-z0-9_'+\-\.]*)[A-Za-z0-9_+-]@([A-Za-z0-9][A-Za-z0-9\-]*\.)+[A-Za-z]{2,}$",
                &["a.b+c@example.com"],
                &[".a@b.co", "a..b@c.de", "a@b", "a@b.c"],
            ),
        ],
    );
    refuse(ECMA, &["^*", r"\ud800", r"(?=a", r"(a)\k<b>", r"\c1"]);
}

#[test]
fn back_tracking_has_an_end() {
    let pattern = Pattern::compile(r"^(?=(a+)+$)b", PatternSyntax::Ecma).unwrap();
    assert!(!pattern.matches(&"a".repeat(5_000)));
    let pattern = Pattern::compile(r"^((a|aa)+)\1$", PatternSyntax::Ecma).unwrap();
    assert!(!pattern.matches(&alloc::format!("{}b", "a".repeat(5_000))));
}
