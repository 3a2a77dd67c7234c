//! The invariants, on inputs made at random.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod invariants;

use proptest::prelude::*;

/// Pieces of such text.
#[rustfmt::skip]
const WORDS: &[&[u8]] = &[
    b"{", b"}", b"[", b"]", b":", b",", b"\"", b"'", b"\\", b"\\u0041", b"\\ud83d", b"null", b"None", b"true",
    b"True", b"\"true\"", b"1", b"-0", b"1e5", b"1e999999999", b"\"12\"", b".5", b" ", b"\n", b"\"a\"", b"x",
    b"```json\n", b"```", b"\xef\xbb\xbf", b"\xe2", b"\xc3\xa9", b"\"path\"", b"\"Path\":", b"\"path\":\"a\"",
    b"\"limit\":", b"\"all\":", b"\"mode\":\"FAST\"", b"\"v\":1", b"\"v\":", b"\"tags\":", b"\"next\":{",
    b"\"a\":null", b"\"x_a\":1", b"\"input\":", b"\"arguments\":{", b"// c\n", b"{\"path\":\"a\"}",
    b"\"{\\\"path\\\":\\\"a\\\"}\"",
];

/// Text that is often nearly the arguments of a call.
fn nearly_arguments() -> impl Strategy<Value = Vec<u8>> {
    prop::collection::vec(prop::sample::select(WORDS), 0..16).prop_map(|words| words.concat())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 2_000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn finalizing(select: u8, args in nearly_arguments()) {
        invariants::finalizing(&[&[select], &*args].concat());
    }

    #[test]
    fn finalizing_any_bytes(bytes in prop::collection::vec(any::<u8>(), 0..64)) {
        invariants::finalizing(&bytes);
    }

    #[test]
    fn assembling(bytes in prop::collection::vec(any::<u8>(), 0..60)) {
        invariants::assembling(&bytes);
    }
}
