//! The part of Python's literals that descriptions of structured types use: strings, whole
//! numbers, `None`, booleans, tuples, lists and dictionaries.
#![deny(clippy::arithmetic_side_effects, clippy::indexing_slicing)]

/// The greatest depth of nested literals.
const MAX_DEPTH: u32 = 16;

/// A literal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Literal {
    Text(String),
    Number(i64),
    Bool(bool),
    None,
    Tuple(Vec<Literal>),
    List(Vec<Literal>),
    Dict(Vec<(Literal, Literal)>),
}

impl Literal {
    /// Reads a whole text as one literal.
    pub(crate) fn parse(text: &str) -> Option<Self> {
        let mut reader = Reader { rest: text };
        let literal = reader.literal(0)?;
        reader.skip_spaces();
        reader.rest.is_empty().then_some(literal)
    }

    pub(crate) fn as_text(&self) -> Option<&str> {
        match self {
            Self::Text(text) => Some(text),
            _ => None,
        }
    }

    pub(crate) fn as_size(&self) -> Option<u64> {
        match self {
            Self::Number(number) => u64::try_from(*number).ok(),
            _ => None,
        }
    }

    pub(crate) fn as_items(&self) -> Option<&[Self]> {
        match self {
            Self::Tuple(items) | Self::List(items) => Some(items),
            _ => None,
        }
    }

    /// The value of a key of a dictionary.
    pub(crate) fn get(&self, key: &str) -> Option<&Self> {
        match self {
            Self::Dict(pairs) => pairs
                .iter()
                .find(|(name, _)| name.as_text() == Some(key))
                .map(|(_, value)| value),
            _ => None,
        }
    }
}

struct Reader<'a> {
    rest: &'a str,
}

impl Reader<'_> {
    fn skip_spaces(&mut self) {
        self.rest = self.rest.trim_start();
    }

    fn next(&mut self) -> Option<char> {
        let mut chars = self.rest.chars();
        let next = chars.next()?;
        self.rest = chars.as_str();
        Some(next)
    }

    /// Skips spaces, and takes `expected` if it is next.
    fn eat(&mut self, expected: &str) -> bool {
        self.skip_spaces();
        match self.rest.strip_prefix(expected) {
            Some(rest) => {
                self.rest = rest;
                true
            }
            None => false,
        }
    }

    fn literal(&mut self, depth: u32) -> Option<Literal> {
        if depth > MAX_DEPTH {
            return None;
        }
        let deeper = depth.saturating_add(1);
        self.skip_spaces();
        for (word, literal) in [
            ("None", Literal::None),
            ("True", Literal::Bool(true)),
            ("False", Literal::Bool(false)),
        ] {
            if self.eat(word) {
                return Some(literal);
            }
        }
        match self.rest.chars().next()? {
            '\'' | '"' => self.text().map(Literal::Text),
            '(' => {
                self.next();
                let (items, commas) = self.items(')', deeper)?;
                // Parentheses around one literal without a comma are no tuple.
                match items.as_slice() {
                    [one] if !commas => Some(one.clone()),
                    _ => Some(Literal::Tuple(items)),
                }
            }
            '[' => {
                self.next();
                self.items(']', deeper)
                    .map(|(items, _)| Literal::List(items))
            }
            '{' => {
                self.next();
                self.pairs(deeper).map(Literal::Dict)
            }
            _ => self.number(),
        }
    }

    fn number(&mut self) -> Option<Literal> {
        let len = self
            .rest
            .char_indices()
            .find(|&(at, char)| !(char.is_ascii_digit() || at == 0 && char == '-'))
            .map_or(self.rest.len(), |(at, _)| at);
        let (digits, rest) = self.rest.split_at_checked(len)?;
        self.rest = rest.strip_prefix('L').unwrap_or(rest);
        digits.parse().ok().map(Literal::Number)
    }

    fn items(&mut self, close: char, depth: u32) -> Option<(Vec<Literal>, bool)> {
        let mut items = Vec::new();
        let mut commas = false;
        let close: &str = if close == ')' { ")" } else { "]" };
        loop {
            if self.eat(close) {
                return Some((items, commas));
            }
            items.push(self.literal(depth)?);
            if self.eat(",") {
                commas = true;
            } else if self.eat(close) {
                return Some((items, commas));
            } else {
                return None;
            }
        }
    }

    fn pairs(&mut self, depth: u32) -> Option<Vec<(Literal, Literal)>> {
        let mut pairs = Vec::new();
        loop {
            if self.eat("}") {
                return Some(pairs);
            }
            let key = self.literal(depth)?;
            if !self.eat(":") {
                return None;
            }
            pairs.push((key, self.literal(depth)?));
            if !self.eat(",") {
                return self.eat("}").then_some(pairs);
            }
        }
    }

    fn text(&mut self) -> Option<String> {
        let quote = self.next()?;
        let mut text = String::new();
        loop {
            match self.next()? {
                '\\' => text.push(self.escape()?),
                char if char == quote => return Some(text),
                char => text.push(char),
            }
        }
    }

    fn escape(&mut self) -> Option<char> {
        Some(match self.next()? {
            'n' => '\n',
            'r' => '\r',
            't' => '\t',
            'x' => self.code(2)?,
            'u' => self.code(4)?,
            'U' => self.code(8)?,
            char @ ('\\' | '\'' | '"') => char,
            _ => return None,
        })
    }

    fn code(&mut self, digits: usize) -> Option<char> {
        let (code, rest) = self.rest.split_at_checked(digits)?;
        self.rest = rest;
        if !code.bytes().all(|byte| byte.is_ascii_hexdigit()) {
            return None;
        }
        char::from_u32(u32::from_str_radix(code, 16).ok()?)
    }
}
