//! Where are the spots of a text? The signatures of Theobald, Siddharth and Paepcke, *SpotSigs: robust and efficient near duplicate
//! detection in large web collections* (SIGIR 2008).
//!
//! A spot is an *antecedent*, such as an article, with a chain of c content words after it, each d words after the one before. A word
//! of the chain that would be a stop word is the next one that is not. Menus and lists have few antecedents, prose has many.
//!
//! The words are English: articles and the forms of be, can, will, have and do are said to be the paper's best antecedents.

/// The words that begin a spot, ascending.
#[rustfmt::skip]
const ANTECEDENTS: [&str; 24] = [
    "a", "am", "an", "are", "be", "been", "being", "can", "could", "did", "do", "does", "doing", "done", "had",
    "has", "have", "having", "is", "the", "was", "were", "will", "would",
];

/// The words that are not in a chain, ascending.
#[rustfmt::skip]
const STOP_WORDS: [&str; 135] = [
    "a", "about", "above", "after", "again", "against", "all", "am", "among", "an", "and", "any", "are", "as",
    "at", "be", "because", "been", "before", "being", "below", "between", "both", "but", "by", "can", "could",
    "did", "do", "does", "doing", "done", "down", "during", "each", "few", "for", "from", "further", "had", "has",
    "have", "having", "he", "her", "here", "hers", "herself", "him", "himself", "his", "how", "i", "if", "in",
    "into", "is", "it", "its", "itself", "just", "may", "me", "might", "more", "most", "must", "my", "myself",
    "no", "nor", "not", "now", "of", "off", "on", "once", "only", "or", "other", "our", "ours", "ourselves", "out",
    "over", "own", "same", "shall", "she", "should", "so", "some", "such", "than", "that", "the", "their",
    "theirs", "them", "themselves", "then", "there", "these", "they", "this", "those", "through", "to", "too",
    "under", "until", "up", "upon", "us", "very", "was", "we", "were", "what", "when", "where", "which", "while",
    "who", "whom", "whose", "why", "will", "with", "would", "you", "your", "yours", "yourself", "yourselves",
];

/// What a word is in a spot.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Role {
    /// It begins a spot, and is in no chain.
    Antecedent,
    /// It is in no chain.
    Stop,
    /// It may be in a chain.
    Content,
}

impl Role {
    /// Returns the role of a word in normal form.
    pub(crate) fn of(word: &str) -> Role {
        // No stop word is longer.
        if word.len() > 10 || STOP_WORDS.binary_search(&word).is_err() {
            return Role::Content;
        }
        if ANTECEDENTS.binary_search(&word).is_ok() { Role::Antecedent } else { Role::Stop }
    }
}

/// Calls `spot` with the places of every spot's words, in order: the antecedent, and the chain of at least one word. At the end of a
/// text a chain may be shorter than `chain`.
pub(crate) fn for_each_spot(roles: &[Role], distance: usize, chain: usize, mut spot: impl FnMut(&[usize])) {
    let mut places = Vec::with_capacity(chain + 1);
    for (start, _) in roles.iter().enumerate().filter(|(_, role)| **role == Role::Antecedent) {
        places.clear();
        places.push(start);
        let mut at = start;
        for _ in 0..chain {
            let from = (at + distance).min(roles.len());
            let Some(next) = roles[from..].iter().position(|&role| role == Role::Content) else { break };
            at = from + next;
            places.push(at);
        }
        if places.len() > 1 {
            spot(&places);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn spots(text: &str, distance: usize, chain: usize) -> Vec<String> {
        let words: Vec<&str> = text.split(' ').collect();
        let roles: Vec<Role> = words.iter().map(|word| Role::of(word)).collect();
        let mut spots = Vec::new();
        for_each_spot(&roles, distance, chain, |places| {
            spots.push(places.iter().map(|&at| words[at]).collect::<Vec<_>>().join(":"));
        });
        spots
    }

    /// The paper's example sentence. Its antecedents are a, an, the and is.
    #[test]
    fn the_papers_example() {
        let text = "at a rally to kick off a weeklong campaign for the south carolina primary obama tried to set the record \
                    straight from an attack circulating widely on the internet that is designed to play into prejudices \
                    against muslims and fears of terrorism";
        let expected = [
            "a:rally:kick",
            "a:weeklong:campaign",
            "the:south:carolina",
            "the:record:straight",
            "an:attack:circulating",
            "the:internet:designed",
            "is:designed:play",
        ];
        assert_eq!(spots(text, 1, 2), expected);
    }

    #[test]
    fn distances_and_ends() {
        assert_eq!(spots("the one two three four five six", 2, 3), ["the:two:four:six"]);
        assert_eq!(spots("the one two three four five", 2, 3), ["the:two:four"]);
        assert_eq!(spots("one two the", 1, 2), [""; 0]);
        assert_eq!(spots("the of is a", 1, 2), [""; 0]);
        // Two words on is a stop word, so the next one counts, and the next step starts there.
        assert_eq!(spots("the one of two three four", 2, 2), ["the:two:four"]);
        assert_eq!(spots("", 1, 1), [""; 0]);
    }

    #[test]
    fn lists_are_sorted_and_antecedents_are_stop_words() {
        assert!(STOP_WORDS.is_sorted() && ANTECEDENTS.is_sorted());
        assert!(ANTECEDENTS.iter().all(|word| STOP_WORDS.contains(word)));
        assert_eq!(STOP_WORDS.iter().map(|word| word.len()).max(), Some(10));
        assert_eq!(
            ["the", "of", "ferry", "The"].map(Role::of),
            [Role::Antecedent, Role::Stop, Role::Content, Role::Content]
        );
    }
}
