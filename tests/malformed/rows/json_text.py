"""Bytes that are not one JSON value of the strict kind: the request can't be parsed, so no id is echoed."""

from __future__ import annotations

from tests.malformed.row import (
    CANARY,
    DEPTH,
    DUPLICATE_KEY,
    ENCODING,
    LIMIT_REQUEST,
    NUMBER,
    SYNTAX,
    Refusal,
    Row,
    encode,
)
from tests.malformed.rows.bases import QUERY_HASH

VALID = encode(QUERY_HASH.envelope)


def text(what: str, request: bytes, refusal: Refusal, path: str = "") -> Row:
    """A request given as bytes."""
    return Row(f"json: {what}", refusal, path, request, echoed="")


def changed(what: str, old: bytes, new: bytes, refusal: Refusal, path: str = "") -> Row:
    """The valid request with the first `old` replaced by `new`."""
    assert old in VALID, old
    return text(what, VALID.replace(old, new, 1), refusal, path)


def nested(levels: int) -> bytes:
    """A payload value nested so that its innermost array stands at depth `levels` of the request."""
    inside = levels - 2
    return b'{"schema_version":1,"request_id":"r","operation":"status","payload":{"x":%s%s}}' % (
        b"[" * inside,
        b"]" * inside,
    )


CUTS = [1, 2, 9, 17, 18, 19, 20, 34, 48, 60, 80, 90, 120, 200, 300, len(VALID) // 2, len(VALID) - 2, len(VALID) - 1]

ROWS = [
    text("empty input", b"", SYNTAX),
    text("only blanks", b" \t\r\n", SYNTAX),
    *[text(f"cut after {cut} bytes", VALID[:cut], SYNTAX) for cut in CUTS],
    text("trailing comma after the request", VALID + b",", SYNTAX),
    text("a second value", VALID + b"{}", SYNTAX),
    text("a trailing NUL byte", VALID + b"\0", SYNTAX),
    text("a trailing brace", VALID + b"}", SYNTAX),
    text("a leading comma", b"," + VALID, SYNTAX),
    text("a byte order mark", b"\xef\xbb\xbf" + VALID, SYNTAX),
    text("UTF-16", VALID.decode().encode("utf-16-le"), SYNTAX),
    text("a bare word", CANARY.encode(), SYNTAX),
    text("a block comment", b"/* " + CANARY.encode() + b" */" + VALID, SYNTAX),
    changed("a line comment", b'"limit"', b'// note\n"limit"', SYNTAX),
    changed("single quotes", b'"limit"', b"'limit'", SYNTAX),
    changed("an unquoted key", b'"limit"', b"limit", SYNTAX),
    changed("a comma before a closing brace", b'"limit":5}', b'"limit":5,}', SYNTAX),
    changed("no comma between keys", b',"limit"', b' "limit"', SYNTAX),
    changed("no colon", b'"limit":5', b'"limit" 5', SYNTAX),
    changed("a key without a value", b'"limit":5', b'"limit":', SYNTAX),
    changed("NaN", b'"limit":5', b'"limit":NaN', SYNTAX),
    changed("Infinity", b'"limit":5', b'"limit":Infinity', SYNTAX),
    changed("-Infinity", b'"limit":5', b'"limit":-Infinity', SYNTAX),
    changed("a plus sign", b'"limit":5', b'"limit":+5', SYNTAX),
    changed("a leading zero", b'"limit":5', b'"limit":05', SYNTAX),
    changed("a number without digits after the point", b'"limit":5', b'"limit":5.', SYNTAX),
    changed("a number without digits before the point", b'"limit":5', b'"limit":.5', SYNTAX),
    changed("a lonely minus", b'"limit":5', b'"limit":-', SYNTAX),
    changed("an exponent without digits", b'"limit":5', b'"limit":5e', SYNTAX),
    changed("hexadecimal", b'"limit":5', b'"limit":0x5', SYNTAX),
    changed("True", b'"limit":5', b'"limit":True', SYNTAX),
    changed("nul", b'"limit":5', b'"limit":nul', SYNTAX),
    changed("undefined", b'"limit":5', b'"limit":undefined', SYNTAX),
    changed("a raw newline in a string", b"what does", b"what\ndoes", SYNTAX),
    changed("a raw NUL in a string", b"what does", b"what\0does", SYNTAX),
    changed("an unknown escape", b"what does", b"what \\x does", SYNTAX),
    changed("an escape of three digits", b"what does", b'what \\u00e" does', SYNTAX),
    changed("an escape with a wrong digit", b"what does", b"what \\u00gg does", SYNTAX),
    changed("1e999", b'"limit":5', b'"limit":1e999', NUMBER),
    changed("-1e999", b'"limit":5', b'"limit":-1e999', NUMBER),
    changed("an integer above 64 bits", b'"limit":5', b'"limit":18446744073709551616', NUMBER),
    changed("a negative integer below 64 bits", b'"limit":5', b'"limit":-9223372036854775809', NUMBER),
    changed("a number of 400 digits", b'"limit":5', b'"limit":' + b"9" * 400, NUMBER),
    changed("a lone high surrogate", b"what does", b"what \\ud800 does", ENCODING),
    changed("a lone low surrogate", b"what does", b"what \\udc00 does", ENCODING),
    changed("surrogates in the wrong order", b"what does", b"what \\udc00\\ud800 does", ENCODING),
    changed("a high surrogate before a letter", b"what does", b"what \\ud83d\\u0041 does", ENCODING),
    changed("a high surrogate at the end of a string", b"what does", b'what \\ud83d"', ENCODING),
    changed("a lone surrogate in a key", b'"limit"', b'"lim\\ud800it"', ENCODING),
    changed("the byte FF", b"what does", b"what \xff does", ENCODING),
    changed("a lone continuation byte", b"what does", b"what \x80 does", ENCODING),
    changed("a cut two-byte character", b"what does", b"what \xc3 does", ENCODING),
    changed("an overlong slash", b"what does", b"what \xc0\xaf does", ENCODING),
    changed("an encoded surrogate", b"what does", b"what \xed\xa0\x80 does", ENCODING),
    changed("a character above U+10FFFF", b"what does", b"what \xf4\x90\x80\x80 does", ENCODING),
    changed("Latin-1", b"what does", b"caf\xe9 does", ENCODING),
    changed("a bad byte in a key", b'"limit"', b'"lim\xffit"', ENCODING),
    text("a request that ends inside a character", VALID[:-1] + b"\xe2\x82", ENCODING),
    changed(
        "a key twice in the envelope", b'"schema_version":1', b'"schema_version":1,"schema_version":1', DUPLICATE_KEY
    ),
    changed("request_id twice", b'"operation"', b'"request_id":"other","operation"', DUPLICATE_KEY),
    changed("payload twice", b'"payload"', b'"payload":{},"payload"', DUPLICATE_KEY),
    changed("a key twice in the payload", b'"model"', b'"model":"none","model"', DUPLICATE_KEY),
    changed("a key twice in an object of the payload", b'"limit":5', b'"limit":5,"limit":5', DUPLICATE_KEY),
    changed("a key twice in a snapshot", b'"deleted":false', b'"deleted":false,"deleted":true', DUPLICATE_KEY),
    changed("a key twice in an entry", b'"kind":"decision"', b'"kind":"decision","kind":"task"', DUPLICATE_KEY),
    changed(
        "a key twice in an unknown field of an entry",
        b'"kind":"decision"',
        b'"kind":"decision","extra":[{"a":1,"a":2}]',
        DUPLICATE_KEY,
    ),
    changed("a key twice, once escaped", b'"limit":5', b'"limit":5,"l\\u0069mit":5', DUPLICATE_KEY),
    changed("the empty key twice", b'"limit":5', b'"":1,"":2,"limit":5', DUPLICATE_KEY),
    text("depth 65", nested(65), DEPTH),
    text("depth 1,000", nested(1000), DEPTH),
    text("a million opening brackets", b"[" * 1_000_000, DEPTH),
    text("a million opening objects", b'{"a":' * 1_000_000, DEPTH),
    # Never touched, so the pages are never there: the length alone is refused.
    text("one byte more than the largest request", bytes(268_435_457), LIMIT_REQUEST, "request"),
]
