//! How does a text become a set?

use super::hash::{hash_occurrence, hash_shingle, hash_shingles, hash_token, hash_token_in, number_occurrences};
use super::sort::Sorter;
use crate::text::{Case, normalise};
use crate::tokens::{
    Role, Tokens, for_each_gram, for_each_raw_word, for_each_spot, for_each_word, squeeze_letters, squeeze_spaces,
};

/// How a text becomes a set.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct Recipe {
    /// What the elements are made of.
    pub tokens: Tokens,
    /// Whether upper and lower case differ.
    pub case: Case,
    /// Whether the second occurrence of a shingle is a separate element.
    pub bag: bool,
}

/// Makes sets from texts, and reuses its memory.
///
/// ```
/// use lookalike::engine::{Recipe, SetMaker};
/// let mut maker = SetMaker::new(Recipe::default());
/// let a = maker.set("The quick brown fox jumps over the lazy dog.").to_vec();
/// assert_eq!(a.len(), 5);
/// assert_eq!(maker.set("the QUICK brown fox, jumps over the lazy dog!"), a);
/// assert_eq!(maker.set("Too short").len(), 1);
/// assert_eq!(maker.set("…").len(), 0);
/// ```
pub struct SetMaker {
    recipe: Recipe,
    clean: String,
    squeezed: String,
    hashes: Vec<u64>,
    roles: Vec<Role>,
    elements: Vec<u64>,
    sorter: Sorter,
}

/// What [`SetMaker::explain`] found in a text.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Explanation {
    /// The tokens in order: words or characters.
    pub tokens: Vec<String>,
    /// The shingles in order, with repetitions (with `--bag`, each has the hash of its occurrence).
    pub shingles: Vec<(String, u64)>,
}

impl SetMaker {
    /// Makes a maker of sets for this recipe.
    pub fn new(recipe: Recipe) -> SetMaker {
        SetMaker {
            recipe,
            clean: String::new(),
            squeezed: String::new(),
            hashes: Vec::new(),
            roles: Vec::new(),
            elements: Vec::new(),
            sorter: Sorter::default(),
        }
    }

    /// Returns the set of a text, ascending and distinct. It is empty if the text has no tokens.
    pub fn set(&mut self, text: &str) -> &[u64] {
        self.set_within(text, 0)
    }

    /// Like [`SetMaker::set`], but sets with different keys share no elements.
    pub fn set_within(&mut self, text: &str, key: u64) -> &[u64] {
        self.shingle(text);
        if key != 0 {
            self.elements.iter_mut().for_each(|element| *element ^= key);
        }
        self.sorter.sort(&mut self.elements);
        if self.recipe.bag {
            number_occurrences(&mut self.elements);
            self.sorter.sort(&mut self.elements);
        }
        self.elements.dedup();
        &self.elements
    }

    /// Returns the elements of a text in order, with repetitions, ignoring `bag`. Use it for sketches that count
    /// elements, or that ignore order and repetition: sorting would cost more than making the shingles.
    pub fn sequence(&mut self, text: &str) -> &[u64] {
        self.shingle(text);
        &self.elements
    }

    /// Makes the elements of the shingles of a text, in order.
    fn shingle(&mut self, text: &str) {
        self.elements.clear();
        match self.recipe.tokens {
            Tokens::Words(width) => {
                self.clean(text);
                self.hashes.clear();
                let (hashes, text) = (&mut self.hashes, self.clean.as_bytes());
                for_each_word(&self.clean, |word| {
                    let start = word.as_ptr() as usize - text.as_ptr() as usize;
                    hashes.push(hash_token_in(text, start, start + word.len()));
                });
                hash_shingles(hashes, usize::from(width.get()), &mut self.elements);
            }
            Tokens::Spots { distance, chain } => {
                self.clean(text);
                let SetMaker { clean, hashes, roles, elements, .. } = self;
                hashes.clear();
                roles.clear();
                for_each_word(clean, |word| {
                    hashes.push(hash_token(word.as_bytes()));
                    roles.push(Role::of(word));
                });
                let mut spot = Vec::new();
                for_each_spot(roles, distance.get().into(), chain.get().into(), |places| {
                    spot.clear();
                    spot.extend(places.iter().map(|&at| hashes[at]));
                    elements.push(hash_shingle(&spot));
                });
            }
            Tokens::Raw => for_each_raw_word(text, |word| self.elements.push(hash_token(word.as_bytes()))),
            Tokens::Chars(width) | Tokens::Letters(width) => {
                self.squeeze(text);
                for_each_gram(&self.squeezed, usize::from(width.get()), |gram| {
                    self.elements.push(hash_token(gram.as_bytes()))
                });
            }
        }
    }

    /// Returns tokens and shingles as text, for people to read.
    pub fn explain(&mut self, text: &str) -> Explanation {
        let mut tokens = Vec::new();
        let mut shingles = Vec::new();
        match self.recipe.tokens {
            Tokens::Words(width) => {
                self.clean(text);
                for_each_word(&self.clean, |word| tokens.push(word.to_string()));
                let width = usize::from(width.get()).min(tokens.len().max(1));
                shingles.extend(tokens.windows(width).map(|shingle| {
                    let hashes: Vec<u64> = shingle.iter().map(|token| hash_token(token.as_bytes())).collect();
                    (shingle.join(" "), hash_shingle(&hashes))
                }));
            }
            Tokens::Spots { distance, chain } => {
                self.clean(text);
                for_each_word(&self.clean, |word| tokens.push(word.to_string()));
                let roles: Vec<Role> = tokens.iter().map(|word| Role::of(word)).collect();
                for_each_spot(&roles, distance.get().into(), chain.get().into(), |places| {
                    let words: Vec<&str> = places.iter().map(|&at| tokens[at].as_str()).collect();
                    let hashes: Vec<u64> = words.iter().map(|word| hash_token(word.as_bytes())).collect();
                    shingles.push((words.join(":"), hash_shingle(&hashes)));
                });
            }
            Tokens::Raw => {
                for_each_raw_word(text, |word| tokens.push(word.to_string()));
                shingles.extend(tokens.iter().map(|token| (token.clone(), hash_token(token.as_bytes()))));
            }
            Tokens::Chars(width) | Tokens::Letters(width) => {
                self.squeeze(text);
                tokens.extend(self.squeezed.chars().map(String::from));
                for_each_gram(&self.squeezed, usize::from(width.get()), |gram| {
                    shingles.push((gram.to_string(), hash_token(gram.as_bytes())));
                });
            }
        }
        if self.recipe.bag {
            let mut seen = std::collections::HashMap::new();
            for (_, hash) in &mut shingles {
                let occurrence = seen.entry(*hash).and_modify(|n| *n += 1).or_insert(1);
                *hash = hash_occurrence(*hash, *occurrence);
            }
        }
        Explanation { tokens, shingles }
    }

    fn clean(&mut self, text: &str) {
        self.clean.clear();
        normalise(text, self.recipe.case, &mut self.clean);
    }

    fn squeeze(&mut self, text: &str) {
        self.clean(text);
        self.squeezed.clear();
        match self.recipe.tokens {
            Tokens::Letters(_) => squeeze_letters(&self.clean, &mut self.squeezed),
            _ => squeeze_spaces(&self.clean, &mut self.squeezed),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn recipe(tokens: &str, bag: bool) -> Recipe {
        Recipe { tokens: tokens.parse().unwrap(), case: Case::Fold, bag }
    }

    /// Computed by another implementation of the definition in `hash.rs` (in Python, with its `xxhash` package).
    #[test]
    fn known_answers() {
        assert_eq!(hash_token(b""), 0xc95d_a00e_4494_4c75);
        assert_eq!(hash_token(b"lookalike"), 0x9369_951d_47ff_9df2);
        assert_eq!(hash_token("漢".as_bytes()), 0x587c_7912_f59a_2846);
        assert_eq!(hash_token(b"sixteen bytes!!!"), 0x72e0_fd93_d495_5d4d);
        assert_eq!(hash_token(b"a-token-of-more-than-sixteen-bytes"), 0x0503_13e3_07f4_f101);
        let set = |spec, bag, text| SetMaker::new(recipe(spec, bag)).set(text).to_vec();
        assert_eq!(set("words:5", false, "The QUICK brown fox, jumps!"), [0xf66b_d958_bae9_b8be]);
        assert_eq!(set("words:5", false, "the quick"), [0x47d6_c48d_09af_f62d]);
        assert_eq!(set("words:5", false, "Lookalike"), [0x9369_951d_47ff_9df2]);
        assert_eq!(set("words", false, "lookalike"), [0x9369_951d_47ff_9df2]);
        assert_eq!(set("chars:3", false, "abc"), [0xedb0_b828_3614_75f0]);
        assert_eq!(set("letters:3", false, "a-b c"), [0xedb0_b828_3614_75f0]);
        assert_eq!(set("raw", true, "a a"), [hash_token(b"a"), 0xc039_fbd3_8f92_33a6]);
    }

    proptest! {
        #[test]
        fn what_is_explained_is_what_is_compared(
            text in "[a-c]{1,2}( [a-c漢é]{1,2}){0,30}",
            tokens in prop_oneof![Just("words"), Just("words:3"), Just("words:5"), Just("chars:1"), Just("chars:3"), Just("letters:4"), Just("spots:1:2"), Just("raw")],
            bag: bool,
        ) {
            let mut maker = SetMaker::new(recipe(tokens, bag));
            let mut hashes: Vec<u64> = maker.explain(&text).shingles.into_iter().map(|(_, hash)| hash).collect();
            hashes.sort_unstable();
            if !bag {
                hashes.dedup();
            }
            prop_assert_eq!(maker.set(&text), hashes);
        }

        /// A key separates texts with different keys, and changes nothing among texts with the same key.
        #[test]
        fn keys_part(one in "[a-d]( [a-d]){0,30}", two in "[a-d]( [a-d]){0,30}", bag: bool, key: u64, other: u64) {
            prop_assume!(key != other);
            let common = |one: &[u64], two: &[u64]| one.iter().filter(|element| two.contains(element)).count();
            let mut maker = SetMaker::new(recipe("words:2", bag));
            let plain = [maker.set(&one).to_vec(), maker.set(&two).to_vec()];
            let keyed = [maker.set_within(&one, key).to_vec(), maker.set_within(&two, key).to_vec()];
            prop_assert_eq!(keyed[0].len(), plain[0].len());
            prop_assert_eq!(common(&keyed[0], &keyed[1]), common(&plain[0], &plain[1]));
            prop_assert_eq!(common(&keyed[0], maker.set_within(&one, other)), 0);
        }
    }
}
