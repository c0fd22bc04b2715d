//! Which methods call two documents near-duplicates, and why.

use std::num::NonZeroU16;

use lookalike::engine::{Recipe, SetMaker, WebJoin, WebMethod, common};
use lookalike::sketch::{Features, Filter, Plan, shared_features};
use lookalike::{Measure, Threshold, Tokens};
use serde::Serialize;

use crate::error::Error;
use crate::read::Signing;

/// The verdict of a method.
#[derive(Clone, Debug, Serialize)]
pub struct Judgement {
    /// The method.
    pub method: &'static str,
    /// Whether the two are near-duplicates; `None` if the method cannot tell.
    pub pair: Option<bool>,
    /// Why.
    pub why: String,
}

/// The verdict of an exact comparison: two sets of these sizes, and the number of their common elements.
pub(super) fn exactly(method: &'static str, threshold: &Threshold, shared: u32, [a, b]: [u32; 2]) -> Judgement {
    if a == 0 || b == 0 {
        return Judgement { method, pair: Some(false), why: "a document without tokens resembles nothing".to_string() };
    }
    let (measure, value, bound) = (threshold.measure(), threshold.similarity(shared, a, b), threshold.value());
    let is_pair = threshold.reaches(shared, a, b);
    let sign = match (is_pair, threshold.is_distance()) {
        (true, false) => '≥',
        (true, true) => '≤',
        (false, false) => '<',
        (false, true) => '>',
    };
    let needed = threshold.needed(a, b);
    let needed =
        if needed > a.min(b) { "sizes too different to be a pair".to_string() } else { format!("{needed} needed") };
    let why = format!("{measure} {} {sign} {bound}; {shared} common elements, {needed}", rounded(value));
    Judgement { method, pair: Some(is_pair), why }
}

/// Rounds to four decimal places.
fn rounded(value: f64) -> f64 {
    (value * 1e4).round() / 1e4
}

/// The verdicts of the methods that papers compare with, with their usual settings. I-Match has none, because it needs a collection.
/// `features` are the filter of the sets, and how many are equal.
pub(super) fn judge_otherwise(
    texts: [&str; 2],
    sets: [&[u64]; 2],
    recipe: Recipe,
    threshold: &Threshold,
    (filter, equal): (Filter, usize),
) -> Result<Vec<Judgement>, Error> {
    let sizes = |sets: [&[u64]; 2]| sets.map(|set| set.len() as u32);
    let compare = |method, threshold: &Threshold, tokens: Tokens, bag: bool| {
        let mut maker = SetMaker::new(Recipe { tokens, bag, ..recipe });
        let [one, two] = texts.map(|text| maker.set(text).to_vec());
        exactly(method, threshold, common(&one, &two), sizes([&one, &two]))
    };
    let exact = exactly("exact", threshold, common(sets[0], sets[1]), sizes(sets));
    let both = |method, first: bool, why: String| Judgement {
        method,
        pair: Some(first && exact.pair == Some(true)),
        why: format!("{why}; {}", exact.why),
    };
    let light = Threshold::new(Measure::Max, Signing::LIGHT).map_err(Error::usage)?;
    let light = compare("ddebit", &light, Tokens::Chars(NonZeroU16::MIN.saturating_add(1)), false);
    let mut verdicts = vec![
        Judgement {
            method: "mega-shingles",
            pair: Some(equal >= filter.r()),
            why: format!("{equal} of {} super-shingles equal, {} needed", filter.k(), filter.r()),
        },
        both("ddebit", light.pair == Some(true), format!("bigrams: {}", light.why)),
    ];
    if threshold.measure() == Measure::Jaccard {
        verdicts.push(compare("spotsigs", threshold, Tokens::spots(), true));
        let bands = Plan::bands(threshold.value().to_f64(), Signing::LSH_FUNCTIONS).map_err(Error::usage)?.filter;
        let features = Features::new(bands);
        let [one, two] = sets.map(|set| {
            let mut own = Vec::new();
            features.push(set, &mut Vec::new(), &mut own);
            own
        });
        let equal = shared_features(&one, &two);
        let why = format!("{equal} of {} bands of {} values equal, 1 needed", bands.k(), bands.s());
        verdicts.push(both("lsh", equal > 0, why));
    }
    Ok(verdicts)
}

/// The data about two pages that the algorithms for web pages use.
pub(super) struct Known {
    pub(super) filter: Filter,
    pub(super) bits: usize,
    pub(super) needed: u32,
    pub(super) b_similarity: u32,
    pub(super) c_similarity: u32,
    /// `None` if one of them has no site.
    pub(super) same_site: Option<bool>,
}

impl Known {
    pub(super) fn judge(&self, method: WebMethod) -> Judgement {
        let bits = self.bits;
        let join = WebJoin::of_bits(method, bits);
        let b = format!("{} of {} super-shingles equal, {} needed", self.b_similarity, self.filter.k(), self.needed);
        let c = |needed: u32| format!("{} of {bits} bits agree, {needed} needed", self.c_similarity);
        let decide = |same| Some(join.is_pair(self.needed, self.b_similarity, self.c_similarity, same));
        let combined = format!("{b}; {}", c(join.combined_agree));
        let (pair, why) = match (method, self.same_site) {
            (WebMethod::B, _) => (decide(false), b),
            (WebMethod::C, _) => (decide(false), c(join.agree)),
            (WebMethod::Combined, _) => (decide(false), combined),
            (WebMethod::BySite, Some(true)) => (decide(true), format!("same site: {combined}")),
            (WebMethod::BySite, Some(false)) => (decide(false), format!("different sites: {}", c(join.agree))),
            (WebMethod::BySite, None) => (None, "one of the documents has no address".to_string()),
        };
        Judgement { method: method.name(), pair, why }
    }
}
