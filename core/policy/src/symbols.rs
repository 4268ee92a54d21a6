//! Small numbers for texts that repeat: kinds, projects, computers.

use std::collections::HashMap;
use std::sync::Arc;

/// Stands for one text while it is in use.
pub(crate) type Symbol = u32;

/// Counts the uses of each text, so that comparing two is comparing numbers and unused ones go.
#[derive(Clone, Default)]
pub(crate) struct Symbols {
    index: HashMap<Arc<str>, Symbol>,
    texts: Vec<(Arc<str>, u64)>,
    free: Vec<Symbol>,
}

impl Symbols {
    /// The symbol of `text`, used once more.
    pub fn acquire(&mut self, text: &str) -> Symbol {
        if let Some(&symbol) = self.index.get(text) {
            self.texts[symbol as usize].1 += 1;
            return symbol;
        }
        let text: Arc<str> = Arc::from(text);
        let symbol = if let Some(symbol) = self.free.pop() {
            self.texts[symbol as usize] = (Arc::clone(&text), 1);
            symbol
        } else {
            self.texts.push((Arc::clone(&text), 1));
            Symbol::try_from(self.texts.len() - 1).expect("no more symbols than three a memory")
        };
        self.index.insert(text, symbol);
        symbol
    }

    /// Gives one use back.
    pub fn release(&mut self, symbol: Symbol) {
        let (text, uses) = &mut self.texts[symbol as usize];
        *uses -= 1;
        if *uses == 0 {
            self.index.remove(text);
            *text = Arc::default();
            self.free.push(symbol);
        }
    }

    /// The symbol of `text`, if anything uses it.
    pub fn find(&self, text: &str) -> Option<Symbol> {
        self.index.get(text).copied()
    }

    /// The text of a symbol in use.
    pub fn text(&self, symbol: Symbol) -> &str {
        &self.texts[symbol as usize].0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_texts_share_a_symbol_until_the_last_use_is_released() {
        let mut symbols = Symbols::default();
        let (a, b) = (symbols.acquire("apollo"), symbols.acquire("borealis"));
        assert_eq!(symbols.acquire("apollo"), a);
        assert_ne!(a, b);
        symbols.release(a);
        assert_eq!(symbols.find("apollo"), Some(a));
        assert_eq!(symbols.text(a), "apollo");
        symbols.release(a);
        assert_eq!(symbols.find("apollo"), None);
        assert_eq!(symbols.find("borealis"), Some(b));
    }

    #[test]
    fn a_released_symbol_is_used_again() {
        let mut symbols = Symbols::default();
        let a = symbols.acquire("apollo");
        symbols.release(a);
        assert_eq!(symbols.acquire(""), a);
        assert_eq!(symbols.texts.len(), 1);
    }
}
