//! The job of `compare`: compares two documents by every measure and method.

use lookalike::engine::{
    Difference, PageRecipe, PageSigner, Recipe, SetMaker, Texts, WebJoin, WebMethod, common, differences, normalise,
    squeeze_spaces,
};
use lookalike::sketch::{Features, Filter, shared_features};
use lookalike::{Measure, Threshold};
use lookalike_io::Source;
use lookalike_io::extract::words;
use serde::Serialize;

use crate::error::Error;
use crate::read::{Collector, Picked, pick_only, pick_two};
use crate::sign::MOST_TERMS;

/// Where two documents are.
pub enum TwoDocuments {
    /// Each is the only document of an argument.
    Files([(String, Vec<Source>); 2]),
    /// Both are in a collection, with these ids.
    InCollection([String; 2], Vec<Source>),
}

/// A job that compares two documents.
pub struct Compare {
    /// The documents.
    pub documents: TwoDocuments,
    /// How to read.
    pub collector: Collector,
    /// The measure and the threshold of a pair.
    pub threshold: Threshold,
    /// How pages are signed.
    pub recipe: PageRecipe,
}

/// One of two documents.
#[derive(Clone, Debug, Serialize)]
pub struct Compared {
    /// Its id.
    pub id: String,
    /// The number of its words.
    pub words: usize,
    /// The number of elements of its set.
    pub elements: usize,
    /// Its site, if it is a page with a URL.
    pub site: Option<String>,
}

/// The value of a measure.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct Measured {
    /// Its name.
    pub measure: &'static str,
    /// The similarity or the distance; `None` if the distance is too large to compute.
    pub value: Option<f64>,
}

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

/// The comparison of two documents.
#[derive(Clone, Debug, Serialize)]
pub struct Comparison {
    /// The first.
    pub a: Compared,
    /// The second.
    pub b: Compared,
    /// What the elements are.
    pub tokens: String,
    /// Whether both have the same words in the same order.
    pub identical: bool,
    /// Common elements.
    pub common: u32,
    /// Common elements over all elements.
    pub resemblance: f64,
    /// How much of the first is in the second.
    pub containment_a: f64,
    /// How much of the second is in the first.
    pub containment_b: f64,
    /// All measures, including the edit distance.
    pub measures: Vec<Measured>,
    /// The filter of the features.
    pub filter: String,
    /// Shared features of the sets.
    pub shared_features: usize,
    /// The probability that the filter finds documents of this resemblance.
    pub found_by_filter: f64,
    /// Equal super-shingles, with the shingles of Algorithm B.
    pub b_similarity: u32,
    /// Agreeing bits of the simhashes.
    pub c_similarity: u32,
    /// Words in a diff of both; `None` if there are too many to count.
    pub term_difference: Option<usize>,
    /// The verdict of each method.
    pub verdicts: Vec<Judgement>,
    /// The words of each.
    #[serde(skip)]
    pub words: [Vec<String>; 2],
    /// The runs of words in which they differ; `None` if there are too many.
    #[serde(skip)]
    pub differences: Option<Vec<Difference>>,
}

/// The largest edit distance that is computed.
const MOST_EDITS: u32 = 5_000;

impl Compare {
    /// Runs the job.
    pub fn run(self) -> Result<Comparison, Error> {
        let Compare { documents, collector, threshold, recipe } = self;
        let [a, b] = match &documents {
            TwoDocuments::Files([(a, in_a), (b, in_b)]) => {
                [pick_only(a, in_a, &collector)?, pick_only(b, in_b, &collector)?]
            }
            TwoDocuments::InCollection([a, b], inputs) => pick_two([a, b], inputs, &collector)?,
        };
        compare(&a, &b, collector.recipe, &threshold, recipe)
    }
}

/// Compares two texts, each with an id.
pub fn compare_texts(
    two: [(&str, &str); 2],
    recipe: Recipe,
    threshold: &Threshold,
    pages: PageRecipe,
) -> Result<Comparison, Error> {
    let [a, b] = two.map(|(id, text)| Picked { id: id.to_string(), text: text.to_string(), site: None });
    compare(&a, &b, recipe, threshold, pages)
}

fn compare(
    a: &Picked,
    b: &Picked,
    recipe: Recipe,
    threshold: &Threshold,
    pages: PageRecipe,
) -> Result<Comparison, Error> {
    let mut maker = SetMaker::new(recipe);
    let sets = [maker.set(&a.text).to_vec(), maker.set(&b.text).to_vec()];
    let (size_a, size_b) = (sets[0].len() as u32, sets[1].len() as u32);
    let shared = common(&sets[0], &sets[1]);
    // An empty document resembles nothing, itself included.
    let is_empty = sets.iter().any(Vec::is_empty);
    let share = |of: u32| if of == 0 { 0.0 } else { f64::from(shared) / f64::from(of) };
    let resemblance = share(size_a + size_b - shared);

    let mut words = words(recipe);
    let mut signer = PageSigner::new(pages).map_err(Error::usage)?;
    let sequences = [words.sequence(&a.text).to_vec(), words.sequence(&b.text).to_vec()];
    let signed = [signer.sign(&sequences[0]), signer.sign(&sequences[1])];
    let (b_similarity, c_similarity) = (signed[0].b_similarity(&signed[1]), signed[0].c_similarity(&signed[1]));
    let found = differences(&sequences[0], &sequences[1], MOST_TERMS);

    let filter = pages.filter;
    let features = Features::new(filter);
    let (mut sketch, mut of_a, mut of_b) = (Vec::new(), Vec::new(), Vec::new());
    features.push(&sets[0], &mut sketch, &mut of_a);
    features.push(&sets[1], &mut sketch, &mut of_b);

    let exact = Judgement {
        method: "exact",
        pair: Some(!is_empty && threshold.reaches(shared, size_a, size_b)),
        why: exactly(threshold, is_empty, shared, size_a, size_b),
    };
    let known = Known {
        same_site: a.site.as_ref().zip(b.site.as_ref()).map(|(a, b)| a == b),
        needed: filter.r() as u32,
        filter,
        bits: pages.bits,
        b_similarity,
        c_similarity,
    };
    let verdicts = std::iter::once(exact).chain(WebMethod::ALL.map(|method| known.judge(method))).collect();
    let about = |picked: &Picked, sequence: &[u64], set: &[u64]| Compared {
        id: picked.id.clone(),
        words: sequence.len(),
        elements: set.len(),
        site: picked.site.clone(),
    };
    Ok(Comparison {
        a: about(a, &sequences[0], &sets[0]),
        b: about(b, &sequences[1], &sets[1]),
        tokens: recipe.tokens.to_string(),
        identical: !is_empty && sequences[0] == sequences[1],
        common: shared,
        resemblance,
        containment_a: share(size_a),
        containment_b: share(size_b),
        measures: measures([a, b], recipe, is_empty, (shared, size_a, size_b))?,
        filter: filter.to_string(),
        shared_features: shared_features(&of_a, &of_b),
        found_by_filter: if is_empty { 0.0 } else { filter.found(resemblance) },
        b_similarity,
        c_similarity,
        term_difference: found.as_ref().map(|found| found.iter().map(Difference::tokens).sum()),
        verdicts,
        words: [a.words(&mut words), b.words(&mut words)],
        differences: found,
    })
}

/// Every measure of the sets, and the edit distance of the texts as `pairs` compares them.
fn measures(
    two: [&Picked; 2],
    recipe: Recipe,
    is_empty: bool,
    (shared, size_a, size_b): (u32, u32, u32),
) -> Result<Vec<Measured>, Error> {
    let mut measures = Vec::new();
    for measure in Measure::ALL {
        // Every measure allows this threshold. Only the similarity is needed.
        let threshold = Threshold::new(measure, "1").map_err(Error::usage)?;
        let value =
            if is_empty && !threshold.is_distance() { 0.0 } else { threshold.similarity(shared, size_a, size_b) };
        measures.push(Measured { measure: measure.name(), value: Some(value) });
    }
    let texts: Texts = two
        .iter()
        .map(|picked| {
            let (mut normal, mut clean) = (String::new(), String::new());
            normalise(&picked.text, recipe.case, &mut normal);
            squeeze_spaces(&normal, &mut clean);
            clean
        })
        .collect();
    measures.push(Measured { measure: "edit", value: texts.distance(0, 1, MOST_EDITS).map(f64::from) });
    Ok(measures)
}

fn exactly(threshold: &Threshold, is_empty: bool, shared: u32, a: u32, b: u32) -> String {
    if is_empty {
        return "a document without tokens resembles nothing".to_string();
    }
    let (measure, value, bound) = (threshold.measure(), threshold.similarity(shared, a, b), threshold.value());
    let sign = match (threshold.reaches(shared, a, b), threshold.is_distance()) {
        (true, false) => '≥',
        (true, true) => '≤',
        (false, false) => '<',
        (false, true) => '>',
    };
    let needed = threshold.needed(a, b);
    let needed =
        if needed > a.min(b) { "sizes too different to be a pair".to_string() } else { format!("{needed} needed") };
    format!("{measure} {} {sign} {bound}; {shared} common elements, {needed}", rounded(value))
}

/// Rounds to four decimal places.
fn rounded(value: f64) -> f64 {
    (value * 1e4).round() / 1e4
}

/// What the algorithms for web pages know about two pages.
struct Known {
    filter: Filter,
    bits: usize,
    needed: u32,
    b_similarity: u32,
    c_similarity: u32,
    /// `None` if one of them has no site.
    same_site: Option<bool>,
}

impl Known {
    fn judge(&self, method: WebMethod) -> Judgement {
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
