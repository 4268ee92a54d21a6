//! `test-hash`: words hashed into dimensions, for tests that need vectors and no model.
//!
//! Feature hashing with signs (Weinberger et al., "Feature Hashing for Large Scale Multitask Learning", ICML 2009,
//! section 2): texts that share words have a high cosine, others one near 0 when there are enough dimensions.

use sha2::{Digest, Sha256};

use crate::{text, vector};

/// The unit vector of a text; `None` for a text without words, or one whose words cancel out.
///
/// Every token (as often as it stands there) adds ±1: with h = SHA-256 of its UTF-8 bytes, to dimension h\[0..8\]
/// (little-endian) mod `dims`, negative when h\[8\] is odd.
pub fn embed(text: &str, dims: usize) -> Option<Vec<f32>> {
    let mut sums = vec![0_i32; dims];
    for token in text::tokens(text) {
        let hash = Sha256::digest(token.as_bytes());
        let place = u64::from_le_bytes(hash[..8].try_into().expect("a hash has 32 bytes")) % dims as u64;
        sums[place as usize] += 1 - 2 * i32::from(hash[8] & 1);
    }
    // Counts of tokens are far below 2^24, so f32 holds them exactly.
    let sums: Vec<f32> = sums.into_iter().map(|sum| sum as f32).collect();
    vector::normalise(&sums).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shared_words_are_near() {
        let embed = |text| embed(text, 256).unwrap();
        let (a, b) = (embed("the port of the server is 8080"), embed("Server ports: 8080"));
        assert!(vector::dot(&a, &b) > 0.4);
        assert!(vector::dot(&a, &embed("lunch with Melanie tomorrow")).abs() < 0.2);
        assert_eq!(a, embed("8080 is the PORT of the servers"));
    }

    #[test]
    fn a_text_without_words_has_no_vector() {
        for text in ["", "…", " \n", "—!?"] {
            assert_eq!(embed(text, 8), None);
        }
    }

    #[test]
    fn vectors_are_the_documented_ones() {
        // SHA-256("cat") begins 77af778b51abd4a3 c5: a3d4ab518b77af77 mod 10 is 9, and c5 is odd.
        assert_eq!(embed("Cats cat", 10).unwrap(), [0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, -1.0]);
    }
}
