//! Rust source as tokens: identifiers and punctuation, without comments, literals and tests.

/// A token and the line it is on, from 1.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Token {
    pub(crate) text: String,
    pub(crate) line: usize,
}

/// The tokens of a source. `::` is one token; every other punctuation mark is its own.
pub(crate) fn tokens(source: &str) -> Vec<Token> {
    let bytes = source.as_bytes();
    let mut found = Vec::new();
    let (mut at, mut line) = (0, 1);
    while at < bytes.len() {
        let begin = at;
        at = next(bytes, at);
        let text = &source[begin..at];
        let first = bytes[begin];
        let name = is_word(first) && !first.is_ascii_digit() && !text.ends_with(['"', '#']);
        if name || text == "::" || is_mark(text) {
            found.push(Token {
                text: text.to_owned(),
                line,
            });
        }
        line += text.matches('\n').count();
    }
    without_tests(&found)
}

/// Whether it is one punctuation mark, and no literal, comment or space.
fn is_mark(text: &str) -> bool {
    text.len() == 1 && text.as_bytes()[0].is_ascii_punctuation() && text != "\""
}

fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_' || byte >= 0x80
}

/// The end of the token, literal, comment or space that begins here.
fn next(bytes: &[u8], at: usize) -> usize {
    let rest = &bytes[at..];
    let end = |length: Option<usize>| length.map_or(bytes.len(), |length| at + length);
    let position = |needle: &[u8]| rest.windows(needle.len()).position(|at| at == needle);
    if rest.starts_with(b"//") {
        return end(position(b"\n"));
    }
    if rest.starts_with(b"/*") {
        return end(position(b"*/").map(|length| length + 2));
    }
    if rest.starts_with(b"::") {
        return at + 2;
    }
    if let Some(length) = raw_string(rest) {
        return at + length;
    }
    match rest[0] {
        b'"' => at + quoted(rest, b'"'),
        b'\'' if is_char(rest) => at + quoted(rest, b'\''),
        first if is_word(first) => {
            let word = rest.iter().position(|&byte| !is_word(byte));
            // The `b` of a byte string; the string is the next piece.
            end(word)
        }
        _ => at + 1,
    }
}

/// The length of a raw string that begins here.
fn raw_string(rest: &[u8]) -> Option<usize> {
    let after = rest
        .strip_prefix(b"br")
        .or_else(|| rest.strip_prefix(b"r"))?;
    let hashes = after.iter().take_while(|&&byte| byte == b'#').count();
    if after.get(hashes) != Some(&b'"') {
        return None;
    }
    let mut close = vec![b'"'];
    close.resize(1 + hashes, b'#');
    let body = &after[hashes + 1..];
    let length = body.windows(close.len()).position(|at| at == close)?;
    Some(rest.len() - body.len() + length + close.len())
}

/// The length of a quoted literal, escapes included.
fn quoted(rest: &[u8], quote: u8) -> usize {
    let mut at = 1;
    while at < rest.len() && rest[at] != quote {
        at += if rest[at] == b'\\' { 2 } else { 1 };
    }
    (at + 1).min(rest.len())
}

/// Whether the quote begins a character literal, and no lifetime.
fn is_char(rest: &[u8]) -> bool {
    rest.get(1) == Some(&b'\\')
        || (rest.len() > 2 && !is_word(rest[1]))
        || rest.get(2) == Some(&b'\'')
        || (rest.get(1).is_some_and(|&byte| byte >= 0x80)
            && rest[2..].iter().take(4).any(|&byte| byte == b'\''))
}

/// Drops the items after `#[cfg(test)]` and `#[test]`.
fn without_tests(all: &[Token]) -> Vec<Token> {
    let mut kept = Vec::new();
    let mut at = 0;
    while at < all.len() {
        if is_test_mark(&all[at..]) {
            at = item_end(all, at);
        } else {
            kept.push(all[at].clone());
            at += 1;
        }
    }
    kept
}

fn is_test_mark(rest: &[Token]) -> bool {
    let begins = |words: &[&str]| {
        rest.len() >= words.len()
            && words
                .iter()
                .zip(rest)
                .all(|(word, token)| token.text == *word)
    };
    begins(&["#", "[", "cfg", "(", "test", ")", "]"]) || begins(&["#", "[", "test", "]"])
}

/// The end of an item with its attributes: its `;`, or the brace that closes its body.
fn item_end(all: &[Token], mut at: usize) -> usize {
    let mut depth = 0_usize;
    while at < all.len() {
        match all[at].text.as_str() {
            "{" | "(" | "[" => depth += 1,
            "}" | ")" | "]" => {
                depth = depth.saturating_sub(1);
                if depth == 0 && all[at].text == "}" {
                    return at + 1;
                }
            }
            ";" if depth == 0 => return at + 1,
            _ => {}
        }
        at += 1;
    }
    at
}

fn texts(source: &str) -> Vec<String> {
    tokens(source).into_iter().map(|token| token.text).collect()
}

#[test]
fn comments_and_literals_are_dropped() {
    let source =
        "/// use a::b;\nlet x = \"c::d\\\"\"; // e\n'\\'' 'f' b\"g\" r#\"h \" i\"# 'k /* l */";
    assert_eq!(
        texts(source),
        ["let", "x", "=", ";", "b", "'", "k"].map(String::from)
    );
}

#[test]
fn tests_are_dropped() {
    let source = "use a::b; #[cfg(test)] mod tests { use c::{d}; fn f() {} } #[cfg(test)] mod u; e";
    assert_eq!(
        texts(source),
        ["use", "a", "::", "b", ";", "e"].map(String::from)
    );
}

#[test]
fn lines_are_counted() {
    let found = tokens("a\n\"\n\"\nb");
    assert_eq!((found[0].line, found[1].line), (1, 4));
}
