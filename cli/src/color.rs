//! Text that stands out on a terminal.

/// The text in bold, if colors are on.
pub(crate) fn bold(text: &str, on: bool) -> String {
    styled(text, "1", on)
}

/// The text in bold red, if colors are on.
pub(crate) fn red(text: &str, on: bool) -> String {
    styled(text, "1;31", on)
}

fn styled(text: &str, style: &str, on: bool) -> String {
    match on {
        true => format!("\u{1b}[{style}m{text}\u{1b}[0m"),
        false => text.to_owned(),
    }
}
