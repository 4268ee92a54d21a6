//! What a text is found by (scoring.md, Words).

use corecall_scoring::text::{query_tokens, tokens};
use proptest::prelude::*;

/// Every token of the query's is one of the document's.
fn finds(query: &str, document: &str) -> bool {
    let document = tokens(document);
    query_tokens(query).iter().all(|token| document.contains(token))
}

#[test]
fn words_are_folded_and_stemmed() {
    assert_eq!(tokens("The Servers were RUNNING"), ["the", "server", "were", "run"]);
    assert_eq!(tokens("Melanie’s café—STRASSE ﬁnds Ｗｉｄｅ"), ["melani", "café", "strass", "find", "wide"]);
    assert!(finds("straße", "STRASSE") && finds("Cafe\u{301}", "CAFÉ"));
}

#[test]
fn identifiers_are_found_whole_and_in_parts() {
    for (document, queries) in [
        ("call max_retry_count here", &["max_retry_count", "retry", "MAX count", "retries"][..]),
        ("class HttpRequestParser", &["HttpRequestParser", "httprequestparser", "request parser", "http"]),
        ("parseHTTPResponse_v2()", &["http", "response", "v2", "parseHTTPResponse"]),
        ("released v1.2.3 today", &["v1.2.3", "1.2.3", "V1.2.3"]),
        ("merged PR #708.", &["PR #708", "pr#708", "#708", "708", "PR"]),
        ("merged PR#708,", &["PR #708", "#708"]),
        ("see src/core/text.rs:42", &["src/core/text.rs:42", "text.rs", "core text", "src"]),
        ("C:\\Users\\ada", &["users", "ada"]),
        ("https://example.com/docs/setup?x=1", &["example.com", "setup", "docs"]),
        ("a well-known utf8 problem", &["well-known", "known", "utf8", "utf 8", "UTF-8"][..4]),
        ("3,000 rows on 2026-03-01", &["3000", "3,000", "2026-03-01", "2026"]),
        ("C++ and C# code", &["C++", "c#", "C"]),
        ("l'homme d'O'Brien", &["homme"]),
        ("the APIs of GPT4", &["api", "apis", "gpt", "GPT 4"]),
        ("done 🎉", &["🎉"]),
    ] {
        for query in queries {
            assert!(finds(query, document), "{query} in {document}: {:?}", tokens(document));
        }
    }
    assert!(!finds("PR #708", "PR 709 and 708 others"), "the number belongs to the word in front of it");
    assert!(!finds("C++", "C code") && !finds("v1.2.3", "v1.2.4"));
}

#[test]
fn unspaced_scripts_are_bigrams() {
    assert_eq!(query_tokens("数据库端口"), ["数据", "据库", "库端", "端口"]);
    assert_eq!(query_tokens("猫"), ["猫"]);
    for (query, document) in [
        ("数据库", "主数据库的端口是8080"),
        ("8080", "主数据库的端口是8080"),
        ("猫", "小猫在睡觉"),
        ("snake_case", "使用snake_case变量"),
        ("データ", "ﾃﾞｰﾀベース"),
        ("学校", "학교 学校"),
        ("학교", "학교에서 만나요"),
        ("น้ำ", "ดื่มน้ำเย็น"),
    ] {
        assert!(finds(query, document), "{query} in {document}: {:?}", tokens(document));
    }
    assert!(!finds("据数", "数据库"));
}

#[test]
fn only_queries_drop_stop_words_and_only_if_others_are_left() {
    assert_eq!(query_tokens("What is the port of the server?"), ["port", "server"]);
    assert_eq!(query_tokens("Where didn't they go"), ["go"]);
    assert_eq!(query_tokens("to be or not to be"), ["to", "be", "or", "not"]);
    assert_eq!(tokens("the port").len(), 2);
    assert_eq!(query_tokens("port Port PORTS"), ["port"]);
    assert!(query_tokens(" …!\n").is_empty());
}

#[test]
fn long_texts_are_read_in_one_go() {
    // Quadratic reading would take minutes here for each.
    let n = 1 << 16;
    for unit in [
        "a",
        "a ",
        "a_",
        "aB",
        "1.",
        "1,000",
        "a'",
        "#",
        "a#",
        "e\u{301}",
        "\u{301}",
        "字",
        "字\u{301}",
        "ก้",
        "🎉",
        "👩\u{200d}",
        "\u{200d}",
        "a\u{ad}",
        "🇩",
        ".",
        "/a",
        "\u{fdfa}",
        "가",
        "\u{1100}",
        "न\u{94d}",
        "-a",
        "א'",
        "_",
        "A",
    ] {
        let text = unit.repeat(n / unit.len());
        let tokens = tokens(&text);
        assert!(tokens.iter().all(|token| !token.is_empty() && token.len() <= 256), "{unit}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    #[test]
    fn any_text_has_tokens_and_finds_itself(text in any_text()) {
        let found = tokens(&text);
        prop_assert!(found.iter().all(|token| !token.is_empty() && token.len() <= 256));
        prop_assert!(finds(&text, &text));
        let distinct = query_tokens(&text);
        prop_assert_eq!(distinct.len(), distinct.iter().collect::<std::collections::HashSet<_>>().len());
    }

    #[test]
    fn case_and_composition_make_no_difference(words in prop::collection::vec("[a-zß-öø-ÿ]{1,9}", 0..6)) {
        use unicode_normalization::UnicodeNormalization;
        let text = words.join(" ");
        prop_assert_eq!(tokens(&text), tokens(&text.to_uppercase()));
        prop_assert_eq!(tokens(&text), tokens(&text.nfd().collect::<String>()));
    }
}

fn any_text() -> impl Strategy<Value = String> {
    let scraps = prop_oneof![
        Just("snake_case"),
        Just("camelCase"),
        Just("HTTPServer2"),
        Just("v1.2"),
        Just("PR"),
        Just("#7"),
        Just("don't"),
        Just("汉字"),
        Just("か\u{3099}"),
        Just("ไทย"),
        Just(" "),
        Just("."),
        Just("'"),
        Just("#"),
        Just("++"),
        Just("\u{200d}"),
        Just("🎉"),
        Just("ΐ"),
        Just("ß"),
        Just("İ"),
        Just("\u{fdfa}"),
        Just("3,000"),
        Just("/"),
        Just("\u{ad}"),
        Just("न\u{94d}")
    ];
    prop_oneof!["\\PC{0,40}", "[ -~]{0,40}", prop::collection::vec(scraps, 0..12).prop_map(|scraps| scraps.concat())]
}
