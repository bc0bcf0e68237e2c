//! Slices as text, the way NumPy writes them: `0:10,5:7`, `3,...,::2`, `-5:`.

/// The selection of a slice along one axis.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Part {
    /// The first index.
    pub(crate) start: u64,
    /// The number of indices.
    pub(crate) len: u64,
    /// From one index to the next.
    pub(crate) step: u64,
    /// A single index, which takes its axis away.
    pub(crate) single: bool,
}

impl Part {
    fn whole(len: u64) -> Self {
        Self {
            start: 0,
            len,
            step: 1,
            single: false,
        }
    }
}

/// Reads a slice of an array of this shape. What is wrong is said in one line.
pub(crate) fn parse(text: &str, shape: &[u64]) -> Result<Vec<Part>, String> {
    let words: Vec<&str> = match text.trim() {
        "" => Vec::new(),
        text => text.split(',').map(str::trim).collect(),
    };
    let ellipses = words.iter().filter(|&&word| word == "...").count();
    if ellipses > 1 {
        return Err("a slice has one ... at most".to_owned());
    }
    let named = words.len() - ellipses;
    if named > shape.len() {
        return Err(format!(
            "the slice has {named} axes, the array {}",
            shape.len()
        ));
    }
    let mut parts = Vec::with_capacity(shape.len());
    let mut lens = shape.iter().copied().enumerate();
    for word in words {
        if word == "..." {
            let left = shape.len() - named;
            parts.extend(lens.by_ref().take(left).map(|(_, len)| Part::whole(len)));
        } else if let Some((axis, len)) = lens.next() {
            let part = one(word, len);
            parts.push(part.map_err(|what| format!("axis {axis} of the slice, {word}: {what}"))?);
        }
    }
    parts.extend(lens.map(|(_, len)| Part::whole(len)));
    Ok(parts)
}

/// One axis: an index, or bounds and a step.
fn one(word: &str, len: u64) -> Result<Part, String> {
    let fields: Vec<&str> = word.split(':').map(str::trim).collect();
    let (start, end, step) = match fields.as_slice() {
        [index] => {
            let found = number(index)?.ok_or("there is no index")?;
            let start = resolve(found, len);
            let inside = start.filter(|&start| start < len);
            return match inside {
                Some(start) => Ok(Part {
                    start,
                    len: 1,
                    step: 1,
                    single: true,
                }),
                None => Err(format!("the axis has {len} elements")),
            };
        }
        [start, end] => (number(start)?, number(end)?, None),
        [start, end, step] => (number(start)?, number(end)?, number(step)?),
        _ => return Err("expected an index, A:B or A:B:STEP".to_owned()),
    };
    let step = match step {
        None => 1,
        Some(step) => u64::try_from(step)
            .ok()
            .filter(|&step| step > 0)
            .ok_or("the step is 1 or more")?,
    };
    // As in NumPy, bounds outside of the axis are its ends.
    let bound = |bound: Option<i64>, open: u64| match bound {
        None => open,
        Some(bound) => resolve(bound, len).unwrap_or(0).min(len),
    };
    let (start, end) = (bound(start, 0), bound(end, len));
    Ok(Part {
        start,
        len: end.saturating_sub(start).div_ceil(step),
        step,
        single: false,
    })
}

/// A number, or nothing.
fn number(text: &str) -> Result<Option<i64>, String> {
    if text.is_empty() {
        return Ok(None);
    }
    match text.parse() {
        Ok(number) => Ok(Some(number)),
        Err(_) => Err(format!("{text} is no number")),
    }
}

/// An index that may count from the end; `None` before the first one.
fn resolve(index: i64, len: u64) -> Option<u64> {
    len.checked_add_signed(index)
        .filter(|_| index < 0)
        .or_else(|| u64::try_from(index).ok())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The indices of each axis, and the axes that are left.
    fn indices(text: &str, shape: &[u64]) -> Option<(Vec<Vec<u64>>, Vec<u64>)> {
        let parts = parse(text, shape).ok()?;
        let list = |part: &Part| (0..part.len).map(|n| part.start + n * part.step).collect();
        let left = parts.iter().filter(|part| !part.single);
        Some((
            parts.iter().map(list).collect(),
            left.map(|part| part.len).collect(),
        ))
    }

    #[test]
    fn slices_mean_what_numpy_means() {
        for (text, shape, lists, left) in [
            ("", &[2_u64][..], &[&[0_u64, 1][..]][..], &[2_u64][..]),
            ("", &[], &[], &[]),
            ("...", &[], &[], &[]),
            ("1:3", &[5], &[&[1, 2]], &[2]),
            (" 1 : 3 ", &[5], &[&[1, 2]], &[2]),
            ("-2:", &[5], &[&[3, 4]], &[2]),
            (":-4", &[5], &[&[0]], &[1]),
            ("::2", &[5], &[&[0, 2, 4]], &[3]),
            ("1:99:3", &[5], &[&[1, 4]], &[2]),
            ("-99:2", &[5], &[&[0, 1]], &[2]),
            ("4:2", &[5], &[&[]], &[0]),
            ("-1", &[5], &[&[4]], &[]),
            ("1", &[2, 2], &[&[1], &[0, 1]], &[2]),
            ("...,1", &[2, 2, 3], &[&[0, 1], &[0, 1], &[1]], &[2, 2]),
            ("1,...,0:1", &[2, 2, 3], &[&[1], &[0, 1], &[0]], &[2, 1]),
            ("...,0,1", &[2, 3], &[&[0], &[1]], &[]),
            (":", &[0], &[&[]], &[0]),
        ] {
            let lists: Vec<Vec<u64>> = lists.iter().map(|list| list.to_vec()).collect();
            assert_eq!(indices(text, shape), Some((lists, left.to_vec())), "{text}");
        }
    }

    #[test]
    fn what_numpy_refuses_is_refused() {
        for (text, shape) in [
            ("5", &[5_u64][..]),
            ("-6", &[5]),
            ("0", &[0]),
            ("::0", &[5]),
            ("::-1", &[5]),
            ("1:2:3:4", &[5]),
            ("a", &[5]),
            ("1,2", &[5]),
            ("...,...", &[5]),
            ("1,", &[5, 5]),
            ("99999999999999999999", &[5]),
        ] {
            assert!(parse(text, shape).is_err(), "{text}");
        }
    }
}
