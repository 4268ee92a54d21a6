//! Naming a memory that something is to be done with.

use corecall_types::{Code, Error, Result};

use crate::{Graph, Row};

/// The shortest prefix of an id that names a memory, in characters.
pub const PREFIX_MIN: usize = 8;

/// How many candidates an error lists.
const LISTED_MAX: usize = 8;

/// The live memory that `name` means: its exact id; else the only exact title; else the only id that starts
/// with it, if it has at least [`PREFIX_MIN`] characters. A leading `#` is stripped (titles are also compared
/// with it).
///
/// Errors, without a path: `target.unknown`; `target.ambiguous`, which lists the ids that fit.
pub fn resolve(graph: &Graph, name: &str) -> Result<Row> {
    let bare = strip(name);
    if let Some(row) = graph.row(bare).filter(|row| graph.is_live(*row)) {
        return Ok(row);
    }
    let live = || graph.rows().filter(|row| graph.is_live(*row));
    let titled: Vec<Row> = if bare.is_empty() {
        Vec::new()
    } else {
        live().filter(|row| [bare, name].contains(&graph.title(*row))).collect()
    };
    if let Some(row) = the_only(graph, &titled, "title")? {
        return Ok(row);
    }
    if bare.chars().nth(PREFIX_MIN - 1).is_some() {
        let prefixed: Vec<Row> = live().filter(|row| graph.id(*row).starts_with(bare)).collect();
        if let Some(row) = the_only(graph, &prefixed, "id prefix")? {
            return Ok(row);
        }
    }
    let message = if graph.row(bare).is_some() {
        format!("memory {bare} is forgotten or can't be read; name a live one")
    } else {
        "no live memory has this id, title or id prefix (8 characters or more); look it up by recall".to_owned()
    };
    Err(Error::new(Code::TargetUnknown, message))
}

/// A name without its leading `#`.
pub fn strip(name: &str) -> &str {
    name.strip_prefix('#').unwrap_or(name)
}

fn the_only(graph: &Graph, rows: &[Row], what: &str) -> Result<Option<Row>> {
    if let &[row] = rows {
        return Ok(Some(row));
    }
    if rows.is_empty() {
        return Ok(None);
    }
    let mut ids: Vec<&str> = rows.iter().map(|row| graph.id(*row)).collect();
    ids.sort_unstable();
    let more = if ids.len() > LISTED_MAX { ", …" } else { "" };
    ids.truncate(LISTED_MAX);
    let message = format!("{} memories have this {what}; name one by id: {}{more}", rows.len(), ids.join(", "));
    Err(Error::new(Code::TargetAmbiguous, message))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{Memory, graph, memory};

    fn library() -> Graph {
        graph([
            memory("0190aaaa-0001").title("Deploy on Fridays"),
            memory("0190aaaa-0002").title("Twice"),
            memory("0190bbbb-0003").title("Twice"),
            memory("0190cccc-0004").title("Gone").deleted(),
            memory("0190dddd-0005").title("#hashtag"),
            Memory::without_entry("0190eeee-0006"),
        ])
    }

    fn named(name: &str) -> std::result::Result<String, Code> {
        let graph = library();
        resolve(&graph, name).map(|row| graph.id(row).to_owned()).map_err(|error| error.code)
    }

    #[test]
    fn by_exact_id_with_or_without_a_hash() {
        assert_eq!(named("0190aaaa-0001").unwrap(), "0190aaaa-0001");
        assert_eq!(named("#0190aaaa-0001").unwrap(), "0190aaaa-0001");
    }

    #[test]
    fn by_the_only_exact_title() {
        assert_eq!(named("Deploy on Fridays").unwrap(), "0190aaaa-0001");
        assert_eq!(named("#hashtag").unwrap(), "0190dddd-0005");
        assert_eq!(named("deploy on fridays"), Err(Code::TargetUnknown));
    }

    #[test]
    fn a_title_of_two_is_ambiguous_and_both_are_listed() {
        let error = resolve(&library(), "Twice").unwrap_err();
        assert_eq!(error.code, Code::TargetAmbiguous);
        assert!(error.message.contains("0190aaaa-0002, 0190bbbb-0003"), "{}", error.message);
    }

    #[test]
    fn by_a_prefix_of_eight_characters_or_more() {
        assert_eq!(named("0190bbbb").unwrap(), "0190bbbb-0003");
        assert_eq!(named("#0190bbbb-").unwrap(), "0190bbbb-0003");
        assert_eq!(named("0190bbb"), Err(Code::TargetUnknown));
        assert_eq!(named("0190aaaa"), Err(Code::TargetAmbiguous));
    }

    #[test]
    fn an_exact_id_wins_over_longer_ids_and_titles() {
        let graph = graph([memory("12345678").title("a"), memory("123456789").title("12345678")]);
        assert_eq!(resolve(&graph, "12345678"), Ok(graph.row("12345678").unwrap()));
    }

    #[test]
    fn forgotten_and_unreadable_memories_are_not_named() {
        assert_eq!(named("0190cccc-0004"), Err(Code::TargetUnknown));
        assert_eq!(named("Gone"), Err(Code::TargetUnknown));
        assert_eq!(named("0190eeee-0006"), Err(Code::TargetUnknown));
        assert!(resolve(&library(), "0190cccc-0004").unwrap_err().message.contains("forgotten"));
    }

    #[test]
    fn nothing_names_nothing() {
        let untitled = graph([memory("a")]);
        assert_eq!(resolve(&untitled, "").unwrap_err().code, Code::TargetUnknown);
        assert_eq!(resolve(&untitled, "#").unwrap_err().code, Code::TargetUnknown);
    }

    #[test]
    fn messages_never_hold_titles() {
        for name in ["Twice", "Deploy on Mondays"] {
            let message = resolve(&library(), name).unwrap_err().message;
            assert!(!message.contains(name), "{message}");
        }
    }

    #[test]
    fn only_some_of_many_candidates_are_listed() {
        let many = graph((0..20).map(|number| memory(&format!("id-{number:02}")).title("Same")));
        let message = resolve(&many, "Same").unwrap_err().message;
        assert!(message.starts_with("20 memories"), "{message}");
        assert!(message.contains("id-07") && !message.contains("id-08"), "{message}");
    }
}
