//! Which signatures does a method need?

use clap::ValueEnum;
use lookalike::engine::{PageRecipe, SiteRule, WebJoin, WebMethod};
use lookalike::sketch::{Filter, Plan, Prior, SimHash, Wish};
use lookalike::{Measure, Threshold};
use lookalike_engine::{Collector, Error, Signing, Verify};

use crate::args::{MatchArgs, MethodArg, MethodArgs};

/// Henzinger's 384 bits, of which all but one in 32 must agree.
const BITS: u32 = 384;
const MAY_DIFFER: u32 = 32;
/// As many values as the features of her and of Broder's paper are made of.
const FUNCTIONS: usize = 84;

impl MethodArgs {
    /// Whether signatures are asked for.
    pub fn is_signed(&self) -> bool {
        self.method != MethodArg::Exact
    }

    /// A collector of what the method needs.
    pub fn collector(&self, collector: Collector, threshold: &Threshold, verify: Verify) -> Result<Collector, Error> {
        let Some(signing) = self.signing(threshold)? else { return Ok(collector) };
        let site = self.site.clone().unwrap_or_default();
        let mut fields = collector.fields;
        if let SiteRule::Field(name) = &site {
            fields.site = Some(name.clone());
        }
        let samples = matches!(verify, Verify::Threshold);
        Ok(Collector { signing: Some(signing), samples, site, fields, ..collector })
    }

    /// What becomes of candidates: where the method itself is a definition of pairs, a threshold is one only if it is typed.
    pub fn verify(&self, matching: &MatchArgs) -> Verify {
        match self.method {
            _ if self.unverified => Verify::Not,
            MethodArg::Exact | MethodArg::Minhash | MethodArg::Sketch => Verify::Threshold,
            _ if matching.threshold.is_some() => Verify::Threshold,
            _ => Verify::Similarity,
        }
    }

    /// An option of another method is a mistake.
    pub fn check(&self) -> Result<(), Error> {
        use MethodArg::{B, BySite, C, Combined, Minhash, Simhash, Sketch};
        let options: [(&str, bool, &[MethodArg]); 12] = [
            ("--unverified", self.unverified, &[Minhash, Sketch, Simhash, B, C, Combined, BySite]),
            ("--recall", self.recall.is_some(), &[Minhash]),
            ("--bytes", self.bytes.is_some(), &[Minhash]),
            ("--features", self.features.is_some(), &[Minhash, B, C, Combined, BySite]),
            ("--functions", self.functions.is_some(), &[Sketch]),
            ("--bits", self.bits.is_some(), &[Simhash, B, C, Combined, BySite]),
            ("--agree", self.agree.is_some(), &[Simhash, C, BySite]),
            ("--combined-agree", self.combined_agree.is_some(), &[Combined, BySite]),
            ("--shingle", self.shingle.is_some(), &[B, C, Combined, BySite]),
            ("--weighted", self.weighted, &[B, C, Combined, BySite]),
            ("--element", self.element.is_some(), &[B, C, Combined, BySite]),
            ("--site", self.site.is_some(), &[B, C, Combined, BySite]),
        ];
        match options.into_iter().find(|(_, given, methods)| *given && !methods.contains(&self.method)) {
            None => Ok(()),
            Some((option, _, methods)) => {
                let name = |method: &MethodArg| method.to_possible_value().map(|value| value.get_name().to_string());
                let names: Vec<String> = methods.iter().filter_map(name).collect();
                usage(format!("{option} is for --method {}", names.join(", ")))
            }
        }
    }

    fn signing(&self, threshold: &Threshold) -> Result<Option<Signing>, Error> {
        let pages = |method: WebMethod| self.pages(method).map(Some);
        match self.method {
            MethodArg::Exact => Ok(None),
            // Equal documents are one to it, and by a count they need not be a pair.
            _ if threshold.is_distance() || threshold.measure() == Measure::Overlap => usage(format!(
                "--method goes with similarities from 0 to 1, and {} is a {}",
                threshold.measure(),
                if threshold.is_distance() { "distance" } else { "count" }
            )),
            MethodArg::Minhash | MethodArg::Sketch if threshold.measure() != Measure::Jaccard => {
                usage(format!("min-wise sketches are for jaccard, not for {}", threshold.measure()))
            }
            MethodArg::Minhash => self.plan(threshold).map(|plan| Some(Signing::MinHash(plan))),
            MethodArg::Sketch => self.sketch(threshold).map(|plan| Some(Signing::Sketch(plan))),
            MethodArg::Simhash => {
                let (bits, agree) = (self.bits()?, self.agree);
                let agree = at_most(agree.unwrap_or(bits - bits / MAY_DIFFER), bits, "--agree")?;
                Ok(Some(Signing::SimHash { bits, agree }))
            }
            MethodArg::B => pages(WebMethod::B),
            MethodArg::C => pages(WebMethod::C),
            MethodArg::Combined => pages(WebMethod::Combined),
            MethodArg::BySite => pages(WebMethod::BySite),
        }
    }

    fn bits(&self) -> Result<u32, Error> {
        let bits = self.bits.unwrap_or(BITS);
        SimHash::new(bits as usize).map_err(|error| Error::Usage(error.to_string()))?;
        Ok(bits)
    }

    fn plan(&self, threshold: &Threshold) -> Result<Plan, Error> {
        let threshold = threshold.value().to_f64();
        if let Some(filter) = self.features {
            return Ok(Plan::of(filter, threshold, Prior::default()));
        }
        let usual = Wish::new(threshold, self.recall.unwrap_or(0.99));
        let wish = Wish { bytes: self.bytes.unwrap_or(usual.bytes), ..usual };
        Plan::choose(&wish).map_err(|error| Error::Usage(error.to_string()))
    }

    /// Every value of a sketch is a feature, and as large a share of them must be equal as the threshold says.
    fn sketch(&self, threshold: &Threshold) -> Result<Plan, Error> {
        let (values, share) = (self.functions.unwrap_or(FUNCTIONS), threshold.value().to_f64());
        // A share that is nearly a whole number of values is one that was rounded.
        let needed = (share * values as f64 - 1e-9).ceil().max(1.0) as usize;
        let filter = Filter::new(values, 1, needed)
            .map_err(|_| Error::Usage(format!("--functions {values} is not from 1 to {}", Filter::MOST)))?;
        Ok(Plan::of(filter, share, Prior::default()))
    }

    fn pages(&self, method: WebMethod) -> Result<Signing, Error> {
        let paper = PageRecipe::paper().map_err(|error| Error::Usage(error.to_string()))?;
        let bits = self.bits()?;
        let recipe = PageRecipe {
            filter: self.features.unwrap_or(paper.filter),
            shingle: self.shingle.map_or(paper.shingle, usize::from),
            weighted: self.weighted,
            bits: bits as usize,
            element: self.element.map_or(paper.element, usize::from),
        };
        let usual = WebJoin::of_bits(method, recipe.bits);
        let agree = at_most(self.agree.unwrap_or(usual.agree), bits, "--agree")?;
        let combined_agree = at_most(self.combined_agree.unwrap_or(usual.combined_agree), bits, "--combined-agree")?;
        Ok(Signing::Web(recipe, WebJoin { agree, combined_agree, ..usual }))
    }
}

fn at_most(agree: u32, bits: u32, option: &str) -> Result<u32, Error> {
    if agree > bits {
        return usage(format!("{option} {agree} is more than the {bits} bits there are"));
    }
    Ok(agree)
}

fn usage<T>(message: String) -> Result<T, Error> {
    Err(Error::Usage(message))
}
