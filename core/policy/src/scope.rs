//! What a query asks for apart from its text.

use serde::{Deserialize, Serialize};

use crate::symbols::{Symbol, Symbols};

/// Exact comparisons an entry must pass; `None` passes everything.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Scope {
    /// Equal to `entry.kind`.
    pub kind: Option<String>,
    /// Equal to `entry.project`.
    pub project: Option<String>,
    /// Equal to `entry.computer`.
    pub computer: Option<String>,
}

/// A scope in the symbols of one graph.
#[derive(Clone, Copy)]
pub(crate) struct Filter {
    parts: [Part; 3],
}

#[derive(Clone, Copy)]
enum Part {
    Any,
    Only(Symbol),
    /// A text no entry has.
    Nothing,
}

impl Filter {
    pub fn new(scope: &Scope, symbols: &Symbols) -> Self {
        let part = |wanted: &Option<String>| match wanted {
            None => Part::Any,
            Some(text) => symbols.find(text).map_or(Part::Nothing, Part::Only),
        };
        Self { parts: [part(&scope.kind), part(&scope.project), part(&scope.computer)] }
    }

    /// Whether an entry with this kind, project and computer agrees with the scope.
    pub fn admits(&self, fields: [Symbol; 3]) -> bool {
        self.parts.iter().zip(fields).all(|(part, field)| match part {
            Part::Any => true,
            Part::Only(wanted) => *wanted == field,
            Part::Nothing => false,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_given_parts_are_compared_and_exactly() {
        let mut symbols = Symbols::default();
        let decision = [symbols.acquire("decision"), symbols.acquire("Apollo"), symbols.acquire("")];
        let admits = |kind: Option<&str>, project: Option<&str>, computer: Option<&str>| {
            let own = |text: Option<&str>| text.map(str::to_owned);
            let scope = Scope { kind: own(kind), project: own(project), computer: own(computer) };
            Filter::new(&scope, &symbols).admits(decision)
        };
        assert!(admits(None, None, None));
        assert!(admits(Some("decision"), Some("Apollo"), Some("")));
        assert!(!admits(Some("decision"), Some("apollo"), None));
        assert!(!admits(Some("Apollo"), None, None));
        assert!(!admits(None, Some(""), None));
        assert!(!admits(None, None, Some("laptop")));
    }
}
