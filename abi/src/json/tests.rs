//! What the reader takes, and by which name it refuses the rest.

use super::*;

fn code(text: &[u8]) -> &'static str {
    parse(text).map_or_else(|error| error.code.name(), |_| "ok")
}

#[test]
fn every_kind_of_value_is_read() {
    let value = parse(br#" {"a":[1,-2,2.0,1e2,true,false,null,"x"],"b":{}} "#).unwrap();
    let numbers = [Number::Unsigned(1), Number::Negative(-2), Number::Float(2.0), Number::Float(100.0)];
    let list = value.member("a").unwrap().items();
    assert!(numbers.iter().zip(list).all(|(number, item)| Value::Number(*number) == *item));
    assert_eq!(list[7].text(), Some("x"));
    assert_eq!(value.member("b"), Some(&Value::Object(Vec::new())));
    assert_eq!(value.member("c"), None);
}

#[test]
fn texts_are_kept_exactly() {
    let text = |json: &str| parse(json.as_bytes()).unwrap().text().map(str::to_owned);
    assert_eq!(
        text(r#""a\"\\\/\b\f\n\r\t\u0000\u00e9\ud83d\ude00z""#).as_deref(),
        Some("a\"\\/\u{8}\u{c}\n\r\t\0é😀z")
    );
    assert_eq!(text("\"\u{2028}漢字 é\"").as_deref(), Some("\u{2028}漢字 é"));
    assert!(matches!(parse(b"\"plain\""), Ok(Value::Text(Cow::Borrowed("plain")))));
}

#[test]
fn lone_surrogates_and_bad_utf8_are_encoding_errors() {
    for json in
        [r#""\ud800""#, r#""\udc00""#, r#""\ud800\ud800""#, r#""\ud800x""#, r#""\ude00\ud83d""#, r#""\ud800\n""#]
    {
        assert_eq!(code(json.as_bytes()), "json.encoding", "{json}");
    }
    assert_eq!(code(b"\"\xff\""), "json.encoding");
    assert_eq!(code(b"\"\xed\xa0\x80\""), "json.encoding");
}

#[test]
fn other_than_one_value_is_a_syntax_error() {
    for json in [
        "",
        " ",
        "{",
        "[",
        "[1",
        "[1,",
        "[1,]",
        "{\"a\"",
        "{\"a\":",
        "{\"a\":1",
        "{\"a\":1,",
        "{\"a\":1,}",
        "{a:1}",
        "{1:1}",
        "{} {}",
        "nul",
        "nulll",
        "True",
        "01",
        "-",
        "1.",
        ".5",
        "1e",
        "1e+",
        "+1",
        "0x1",
        "NaN",
        "Infinity",
        "'a'",
        "\"a",
        "\"\n\"",
        "\"\\x\"",
        "\"\\u12\"",
        "\"\\u12g4\"",
        "[1 2]",
        "{\"a\" 1}",
        "\u{feff}{}",
        "// x\n{}",
        "\u{a0}1",
        "]",
        "\"\\ud800\\u12\"",
    ] {
        assert_eq!(code(json.as_bytes()), "json.syntax", "{json}");
    }
}

#[test]
fn numbers_nobody_can_hold_are_refused() {
    for json in ["1e309", "-1e309", "18446744073709551616", "-9223372036854775809", "1e99999999999"] {
        assert_eq!(code(json.as_bytes()), "json.number", "{json}");
    }
    assert_eq!(parse(b"18446744073709551615").unwrap(), Value::Number(Number::Unsigned(u64::MAX)));
    assert_eq!(parse(b"-9223372036854775808").unwrap().integer(), Some(i64::MIN));
    assert_eq!(parse(b"1e-400").unwrap(), Value::Number(Number::Float(0.0)));
}

#[test]
fn sixty_four_levels_are_read_and_no_more() {
    let nested = |levels: usize| ["[".repeat(levels), "]".repeat(levels)].concat();
    assert_eq!(code(nested(64).as_bytes()), "ok");
    assert_eq!(code(nested(65).as_bytes()), "json.depth");
    assert_eq!(code("[".repeat(1_000_000).as_bytes()), "json.depth");
    assert_eq!(code(format!("[{}]", vec![nested(63); 3].join(",")).as_bytes()), "ok");
}

#[test]
fn a_key_may_stand_once() {
    assert_eq!(code(br#"{"a":1,"a":1}"#), "json.duplicate_key");
    assert_eq!(code(br#"{"a":1,"\u0061":1}"#), "json.duplicate_key");
    assert_eq!(code(br#"{"a":{"a":1},"b":{"a":1}}"#), "ok");
    let mut many: Vec<String> = (0..100).map(|n| format!("\"k{n}\":0")).collect();
    assert_eq!(code(format!("{{{}}}", many.join(",")).as_bytes()), "ok");
    many.push("\"k50\":0".to_owned());
    assert_eq!(code(format!("{{{}}}", many.join(",")).as_bytes()), "json.duplicate_key");
}

#[test]
fn messages_hold_no_text() {
    for json in [r#"{"secret":1,"secret":2}"#, r#"{"secret" "value"}"#, "secret", "\"secret\\x\""] {
        let error = parse(json.as_bytes()).unwrap_err();
        assert!(!error.message.contains("secret"), "{}", error.message);
    }
}
