//! Where in a request a value stands, kept on the stack and written out only when an error needs it.

use std::fmt;

/// One step into a JSON value, linked to the steps before it.
#[derive(Clone, Copy)]
pub enum Path<'p> {
    /// The outermost value, which has a name (`payload`, `config`) or none (the envelope).
    Root(&'static str),
    /// A member of an object.
    Key(&'p Path<'p>, &'p str),
    /// An item of an array.
    Index(&'p Path<'p>, usize),
}

/// Characters of an unknown argument's name that an error repeats.
const KEY_SHOWN: usize = 64;

impl Path<'_> {
    /// The path of member `key`.
    pub fn key<'p>(&'p self, key: &'p str) -> Path<'p> {
        Path::Key(self, key)
    }

    /// The path of item `index`.
    pub fn index(&self, index: usize) -> Path<'_> {
        Path::Index(self, index)
    }
}

impl fmt::Display for Path<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Root(name) => f.write_str(name),
            Self::Key(outer, key) => {
                let end = key.char_indices().nth(KEY_SHOWN).map(|(end, _)| end);
                let shown = end.map_or(*key, |end| &key[..end]);
                let dot = if matches!(outer, Path::Root("")) { "" } else { "." };
                write!(f, "{outer}{dot}{shown}{}", if end.is_some() { "…" } else { "" })
            }
            Self::Index(outer, index) => write!(f, "{outer}[{index}]"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_reads_as_it_would_be_typed() {
        let payload = Path::Root("payload");
        let snapshots = payload.key("snapshots");
        let third = snapshots.index(3);
        assert_eq!(third.key("id").to_string(), "payload.snapshots[3].id");
        assert_eq!(Path::Root("").key("operation").to_string(), "operation");
    }

    #[test]
    fn long_keys_are_cut() {
        let long = "é".repeat(100);
        let path = Path::Root("payload").key(&long).to_string();
        assert_eq!(path, format!("payload.{}…", "é".repeat(64)));
    }
}
