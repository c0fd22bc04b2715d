//! The job of `compare`: compares two documents by every measure and method.

use lookalike::engine::{
    Difference, PageRecipe, PageSigner, Progress, Recipe, SetMaker, Texts, WebMethod, common, differences, normalise,
    squeeze_spaces,
};
use lookalike::sketch::{Features, shared_features};
use lookalike::{Measure, Threshold};
use lookalike_io::Source;
use lookalike_io::extract::words;
use serde::Serialize;

use super::judge::{Judgement, Known, exactly, judge_otherwise};
use crate::error::{Error, check_cancelled};
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
    pub fn run(self, progress: &dyn Progress) -> Result<Comparison, Error> {
        let Compare { documents, collector, threshold, recipe } = self;
        let [a, b] = match &documents {
            TwoDocuments::Files([(a, in_a), (b, in_b)]) => {
                [pick_only(a, in_a, &collector, progress)?, pick_only(b, in_b, &collector, progress)?]
            }
            TwoDocuments::InCollection([a, b], inputs) => pick_two([a, b], inputs, &collector, progress)?,
        };
        compare(&a, &b, collector.recipe, &threshold, recipe, progress)
    }
}

/// Compares two texts, each with an id.
pub fn compare_texts(
    two: [(&str, &str); 2],
    recipe: Recipe,
    threshold: &Threshold,
    pages: PageRecipe,
    progress: &dyn Progress,
) -> Result<Comparison, Error> {
    let [a, b] = two.map(|(id, text)| Picked { id: id.to_string(), text: text.to_string(), site: None });
    compare(&a, &b, recipe, threshold, pages, progress)
}

fn compare(
    a: &Picked,
    b: &Picked,
    recipe: Recipe,
    threshold: &Threshold,
    pages: PageRecipe,
    progress: &dyn Progress,
) -> Result<Comparison, Error> {
    // Only long texts take long, and each of these steps reads them once.
    let go_on = || check_cancelled(progress);
    let mut maker = SetMaker::new(recipe);
    let a_set = maker.set(&a.text).to_vec();
    go_on()?;
    let sets = [a_set, maker.set(&b.text).to_vec()];
    go_on()?;
    let (size_a, size_b) = (sets[0].len() as u32, sets[1].len() as u32);
    let shared = common(&sets[0], &sets[1]);
    // An empty document resembles nothing, itself included.
    let is_empty = sets.iter().any(Vec::is_empty);
    let share = |of: u32| if of == 0 { 0.0 } else { f64::from(shared) / f64::from(of) };
    let resemblance = share(size_a + size_b - shared);

    let mut words = words(recipe);
    let mut signer = PageSigner::new(pages).map_err(Error::usage)?;
    let sequences = [words.sequence(&a.text).to_vec(), words.sequence(&b.text).to_vec()];
    go_on()?;
    let signed = [signer.sign(&sequences[0]), signer.sign(&sequences[1])];
    go_on()?;
    let (b_similarity, c_similarity) = (signed[0].b_similarity(&signed[1]), signed[0].c_similarity(&signed[1]));
    let found = differences(&sequences[0], &sequences[1], MOST_TERMS);

    go_on()?;
    let filter = pages.filter;
    let features = Features::new(filter);
    let (mut sketch, mut of_a, mut of_b) = (Vec::new(), Vec::new(), Vec::new());
    features.push(&sets[0], &mut sketch, &mut of_a);
    features.push(&sets[1], &mut sketch, &mut of_b);

    let shared_features = shared_features(&of_a, &of_b);
    let known = Known {
        same_site: a.site.as_ref().zip(b.site.as_ref()).map(|(a, b)| a == b),
        needed: filter.r() as u32,
        filter,
        bits: pages.bits,
        b_similarity,
        c_similarity,
    };
    let texts = [&*a.text, &*b.text];
    let mut verdicts = vec![exactly("exact", threshold, shared, [size_a, size_b])];
    verdicts.extend(WebMethod::ALL.map(|method| known.judge(method)));
    go_on()?;
    verdicts.extend(judge_otherwise(texts, [&sets[0], &sets[1]], recipe, threshold, (filter, shared_features))?);
    go_on()?;
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
        shared_features,
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
