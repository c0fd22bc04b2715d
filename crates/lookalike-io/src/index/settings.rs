//! What does an index compare, and how? This is fixed when it is made.

use lookalike::engine::{PageReader, PageRule, Recipe, SetMaker, hash_set};
use lookalike::{Case, Measure, NameError, Threshold};
use serde::{Deserialize, Serialize};

use crate::extract::Extraction;

/// The settings of an index, as they are written on the command line.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Settings {
    /// The measure.
    pub measure: String,
    /// The lowest threshold that the index serves.
    pub threshold: String,
    /// What the elements of a set are.
    pub tokens: String,
    /// `fold` or `keep`.
    pub case: String,
    /// Whether repeated shingles count.
    pub bag: bool,
    /// How a page becomes a text.
    pub page: String,
    /// The hash of the table of passages that are left out of texts, if there is one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub without: Option<String>,
    /// Fields whose values must be equal for documents to be compared.
    pub within: Vec<String>,
    /// A hash of the set of an example, which shows whether another version cuts texts differently.
    example: String,
}

/// A text that exercises as many rules of tokenizing as possible.
const EXAMPLE: &str = "The ferry can’t leave at 9.30 — ＦＥＲＲＹ, Straße, İstanbul, ﬁnd; фарерские 渡し船は九時に出ます เรือข้ามฟาก 👩‍👩‍👧 e\u{301}t\u{e9}.";

/// A page of which `--page main` leaves out the title, a menu and a footer.
const EXAMPLE_PAGE: &str = "<title>Ferries</title><ul><li><a href=a>Home</a><li><a href=b>News</a></ul>\
    <div class=title>The timetable</div><p><a href=d>as a file</a><h1>The ferry</h1><pre>at nine</pre>\
    <table><tr><td><a href=c>Dunmere</a><td>four</table><p>It takes an hour to cross the strait.</p><div class=footer>Imprint</div>";

/// The set of the example. Only the rules that have changed are part of it, so that indexes with other rules stay valid.
fn example(recipe: Recipe, page: PageRule) -> u128 {
    let mut text = EXAMPLE.to_string();
    if page == PageRule::Main {
        text += PageReader::new(page).read(EXAMPLE_PAGE, None);
    }
    hash_set(SetMaker::new(recipe).set(&text))
}

impl Settings {
    /// The settings of a run.
    pub fn new(threshold: &Threshold, extraction: &Extraction, within: &[String]) -> Settings {
        let Extraction { page, without, recipe } = extraction;
        let (page, recipe) = (*page, *recipe);
        Settings {
            measure: threshold.measure().to_string(),
            threshold: threshold.value().to_string(),
            tokens: recipe.tokens.to_string(),
            case: if recipe.case == Case::Fold { "fold" } else { "keep" }.to_string(),
            bag: recipe.bag,
            page: page.to_string(),
            without: without.as_ref().map(|table| table.hash().to_string()),
            within: within.to_vec(),
            example: format!("{:032x}", example(recipe, page)),
        }
    }

    /// The measure and the lowest threshold.
    pub fn threshold(&self) -> Result<Threshold, String> {
        let measure: Measure = self.measure.parse().map_err(|error: NameError| error.to_string())?;
        Threshold::new(measure, &self.threshold).map_err(|error| error.to_string())
    }

    /// How a text becomes a set.
    pub fn recipe(&self) -> Result<Recipe, String> {
        let tokens = self.tokens.parse().map_err(|error| format!("{error}"))?;
        let case = if self.case == "fold" { Case::Fold } else { Case::Keep };
        Ok(Recipe { tokens, case, bag: self.bag })
    }

    /// How a page becomes a text.
    pub fn page(&self) -> Result<PageRule, String> {
        self.page.parse().map_err(|error: NameError| error.to_string())
    }

    /// The settings in which two differ, as options: those of the first, and those of the second. `None` if they are the same.
    pub fn differences(&self, other: &Settings) -> Option<(String, String)> {
        let (mut ours, mut theirs) = (Vec::new(), Vec::new());
        for (one, two) in self.options().into_iter().zip(other.options()) {
            if one != two {
                ours.push(one);
                theirs.push(two);
            }
        }
        if ours.is_empty() && self.example != other.example {
            return Some(("a version that cuts texts differently".to_string(), "this version".to_string()));
        }
        (!ours.is_empty()).then(|| (ours.join(" "), theirs.join(" ")))
    }

    fn options(&self) -> [String; 8] {
        [
            format!("--measure {}", self.measure),
            format!("--threshold {}", self.threshold),
            format!("--tokens {}", self.tokens),
            format!("--case {}", self.case),
            if self.bag { "--bag" } else { "no --bag" }.to_string(),
            format!("--page {}", self.page),
            match &self.without {
                Some(hash) => format!("--without (the table {})", &hash[..hash.len().min(8)]),
                None => "no --without".to_string(),
            },
            if self.within.is_empty() {
                "no --within".to_string()
            } else {
                format!("--within {}", self.within.join(","))
            },
        ]
    }
}
