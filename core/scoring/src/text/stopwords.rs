//! English words that tell nothing of what a query looks for.

/// Whether the folded word is one. Documents keep them: only a query drops them, and only if others are left.
pub fn contains(folded: &str) -> bool {
    STOPWORDS.binary_search(&folded).is_ok()
        || contracted(folded)
            .is_some_and(|stem| STOPWORDS.binary_search(&stem).is_ok() || matches!(stem, "ca" | "let" | "sha" | "wo"))
}

/// `what` of `what's`, `do` of `don't`.
fn contracted(folded: &str) -> Option<&str> {
    folded.strip_suffix("n't").or_else(|| Some(folded.split_once('\'')?.0))
}

/// Sorted.
#[rustfmt::skip]
const STOPWORDS: &[&str] = &[
    // closed classes: articles, pronouns, prepositions, conjunctions, auxiliaries, question words; not those that are also
    // names (`may`, `us`)
    "a", "about", "after", "again", "against", "all", "also", "am", "an", "and", "any", "are", "as", "at", "be",
    "because", "been", "before", "being", "between", "both", "but", "by", "can", "could", "did", "do", "does", "doing",
    "done", "during", "each", "either", "else", "ever", "few", "for", "from", "further", "had", "has", "have", "having",
    "he", "her", "here", "hers", "herself", "him", "himself", "his", "how", "i", "if", "in", "into", "is", "it", "its",
    "itself", "just", "me", "might", "more", "most", "much", "must", "my", "myself", "no", "nor", "not", "of", "off",
    "on", "once", "only", "or", "other", "our", "ours", "ourselves", "out", "over", "own", "same", "shall", "she",
    "should", "so", "some", "such", "than", "that", "the", "their", "theirs", "them", "themselves", "then", "there",
    "these", "they", "this", "those", "through", "to", "too", "under", "until", "up", "upon", "very", "was", "we",
    "were", "what", "when", "where", "which", "while", "who", "whom", "whose", "why", "will", "with", "would", "you",
    "your", "yours", "yourself", "yourselves",
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_list_is_sorted_and_contractions_are_in_it() {
        assert!(STOPWORDS.is_sorted());
        for word in ["the", "what's", "don't", "can't", "won't", "they've", "i'm"] {
            assert!(contains(word), "{word}");
        }
        for word in ["server", "melanie's", "o'brien", ""] {
            assert!(!contains(word), "{word}");
        }
    }
}
