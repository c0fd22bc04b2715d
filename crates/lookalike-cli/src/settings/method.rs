//! Which signatures does a method need?

use clap::ValueEnum;
use lookalike::engine::{Algorithm, PageRecipe, PaperAlgorithm, Recipe, WebJoin, WebMethod};
use lookalike::sketch::{Filter, FilterNeeds, IMatch, Plan, Prior, SimHash};
use lookalike::{Measure, Threshold, Tokens};
use lookalike_engine::{Collector, Error, Signing, Verify};

use crate::args::{MatchArgs, MeasureArg, MethodArg, MethodArgs, Typed};

/// Bits of Henzinger's simhash, of which all but one in 32 must be equal.
const BITS: u32 = 384;
const MAY_DIFFER: u32 = 32;
/// Number of values behind the features of Broder's and Henzinger's papers.
const FUNCTIONS: usize = 84;

impl MethodArgs {
    /// Returns whether the method works by signatures.
    pub fn is_signed(&self) -> bool {
        !matches!(self.method, MethodArg::Exact | MethodArg::Spotsigs)
    }

    /// Returns a collector that also collects what the method needs.
    pub fn collector(&self, collector: Collector, threshold: &Threshold, verify: Verify) -> Result<Collector, Error> {
        let Some(signing) = self.signing(threshold)? else { return Ok(collector) };
        let site = self.site.clone().unwrap_or_default();
        let (samples, verifies) = (matches!(verify, Verify::Threshold), !matches!(verify, Verify::Not));
        Ok(Collector { signing: Some(signing), verifies, samples, ..collector.by_site(site)? })
    }

    /// Returns a collector that makes the sets which the method compares: SpotSigs has its own.
    pub fn sets(&self, collector: Collector, matching: &MatchArgs, typed: &Typed) -> Result<Collector, Error> {
        if self.method != MethodArg::Spotsigs {
            return Ok(collector);
        }
        if !matches!(matching.measure, MeasureArg::Sets(Measure::Jaccard)) {
            return usage(format!("--method spotsigs works only with --measure jaccard, not {}", matching.measure));
        }
        let tokens = match collector.recipe.tokens {
            tokens @ Tokens::Spots { .. } => tokens,
            tokens if typed.tokens => {
                return usage(format!(
                    "--method spotsigs compares spots, not {tokens}; use --tokens spots:D:C or none"
                ));
            }
            _ => Tokens::spots(),
        };
        Ok(Collector { recipe: Recipe { tokens, bag: true, ..collector.recipe }, ..collector })
    }

    /// Returns the algorithm of an exact join: the chosen one, but SpotSigs has its own.
    pub fn algorithm(&self, chosen: Algorithm) -> Result<Algorithm, Error> {
        let own = Algorithm::Paper(PaperAlgorithm::SpotSigs);
        match (self.method, chosen) {
            (MethodArg::Spotsigs, Algorithm::Auto) => Ok(own),
            (MethodArg::Spotsigs, _) if chosen != own => {
                usage("--method spotsigs has an algorithm of its own; leave --algorithm out".to_string())
            }
            _ => Ok(chosen),
        }
    }

    /// Returns how candidates are verified. A method that defines pairs by itself has a threshold only if one is typed.
    pub fn verify(&self, matching: &MatchArgs) -> Verify {
        match self.method {
            _ if self.unverified => Verify::Not,
            MethodArg::Exact | MethodArg::Spotsigs => Verify::Threshold,
            MethodArg::Minhash | MethodArg::Lsh | MethodArg::Sketch | MethodArg::Ddebit => Verify::Threshold,
            _ if matching.threshold.is_some() => Verify::Threshold,
            _ => Verify::Similarity,
        }
    }

    /// Refuses options of other methods.
    pub fn check(&self) -> Result<(), Error> {
        use MethodArg::{B, BySite, C, Combined, Ddebit, IMatch, Lsh, MegaShingles, Minhash, Simhash, Sketch};
        let signed = [Minhash, Lsh, Sketch, Simhash, IMatch, MegaShingles, Ddebit, B, C, Combined, BySite];
        let options: [(&str, bool, &[MethodArg]); 17] = [
            ("--unverified", self.unverified, &signed),
            ("--recall", self.recall.is_some(), &[Minhash]),
            ("--bytes", self.bytes.is_some(), &[Minhash]),
            ("--features", self.features.is_some(), &[Minhash, MegaShingles, B, C, Combined, BySite]),
            ("--functions", self.functions.is_some(), &[Sketch, Lsh]),
            ("--bands", self.bands.is_some(), &[Lsh]),
            ("--idf", self.idf.is_some(), &[IMatch]),
            ("--lexica", self.lexica.is_some(), &[IMatch]),
            ("--least-terms", self.least_terms.is_some(), &[IMatch]),
            ("--light", self.light.is_some(), &[Ddebit]),
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
                let names: Vec<String> = methods.iter().map(name_of).collect();
                usage(format!("{option} works only with --method {}", names.join(", ")))
            }
        }
    }

    /// Returns the signatures of the method, or `None` if it is exact.
    pub fn signing(&self, threshold: &Threshold) -> Result<Option<Signing>, Error> {
        let pages = |method: WebMethod| self.pages(method).map(Some);
        match self.method {
            MethodArg::Exact | MethodArg::Spotsigs => Ok(None),
            // Signatures merge equal documents, but by a count equal documents need not be a pair.
            _ if threshold.measure().is_count() => usage(format!(
                "--method {} needs a similarity from 0 to 1, but {} is a {}; use another measure or --method exact",
                name_of(&self.method),
                threshold.measure(),
                if threshold.is_distance() { "distance" } else { "count" }
            )),
            MethodArg::Minhash | MethodArg::Lsh | MethodArg::Sketch if threshold.measure() != Measure::Jaccard => {
                usage(format!(
                    "--method {} works only with --measure jaccard, not {}",
                    name_of(&self.method),
                    threshold.measure()
                ))
            }
            MethodArg::Minhash => self.plan(threshold).map(|plan| Some(Signing::MinHash(plan))),
            MethodArg::Lsh => self.bands(threshold).map(|plan| Some(Signing::Lsh(plan))),
            MethodArg::MegaShingles => self.mega_shingles().map(Some),
            MethodArg::Ddebit => {
                let light = Threshold::new(Measure::Max, self.light.as_deref().unwrap_or(Signing::LIGHT));
                light
                    .map(|light| Some(Signing::Ddebit(light)))
                    .map_err(|error| Error::Usage(format!("--light: {error}")))
            }
            MethodArg::IMatch => Ok(Some(Signing::IMatch(self.i_match()))),
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
        let usual = FilterNeeds::new(threshold, self.recall.unwrap_or(0.99));
        let needs = FilterNeeds { bytes: self.bytes.unwrap_or(usual.bytes), ..usual };
        Plan::choose(&needs).map_err(|error| Error::Usage(error.to_string()))
    }

    fn bands(&self, threshold: &Threshold) -> Result<Plan, Error> {
        let threshold = threshold.value().to_f64();
        if let Some(bands) = self.bands {
            return Ok(Plan::of(bands, threshold, Prior::default()));
        }
        let values = self.functions.unwrap_or(Signing::LSH_FUNCTIONS);
        if !(1..=Filter::MOST).contains(&values) {
            return usage(format!("--functions {values} is out of range: use 1 to {}", Filter::MOST));
        }
        Plan::bands(threshold, values).map_err(|error| Error::Usage(error.to_string()))
    }

    /// Every R of the K super-shingles make a mega-shingle.
    fn mega_shingles(&self) -> Result<Signing, Error> {
        let paper = PageRecipe::paper().map_err(|error| Error::Usage(error.to_string()))?;
        let filter = self.features.unwrap_or(paper.filter);
        let count = filter.super_features();
        if count > Filter::MOST as f64 || Filter::new(count as usize, filter.r() * filter.s(), 1).is_err() {
            return usage(format!(
                "--features {filter} makes {count} mega-shingles of {} values: use fewer",
                filter.r() * filter.s()
            ));
        }
        Ok(Signing::MegaShingles(filter))
    }

    fn i_match(&self) -> IMatch {
        let usual = IMatch::default();
        IMatch {
            idf: self.idf.unwrap_or(usual.idf),
            lexica: self.lexica.unwrap_or(usual.lexica),
            least_terms: self.least_terms.unwrap_or(usual.least_terms),
        }
    }

    /// Every value of a sketch is a feature, and the share of equal ones must reach the threshold.
    fn sketch(&self, threshold: &Threshold) -> Result<Plan, Error> {
        let (values, share) = (self.functions.unwrap_or(FUNCTIONS), threshold.value().to_f64());
        // Rounding can put a whole number of values slightly above it.
        let needed = (share * values as f64 - 1e-9).ceil().max(1.0) as usize;
        let filter = Filter::new(values, 1, needed)
            .map_err(|_| Error::Usage(format!("--functions {values} is out of range: use 1 to {}", Filter::MOST)))?;
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

fn name_of(method: &MethodArg) -> String {
    method.to_possible_value().map_or_else(String::new, |value| value.get_name().to_string())
}

fn at_most(agree: u32, bits: u32, option: &str) -> Result<u32, Error> {
    if agree > bits {
        return usage(format!("{option} {agree} is more than the {bits} bits of --bits"));
    }
    Ok(agree)
}

fn usage<T>(message: String) -> Result<T, Error> {
    Err(Error::Usage(message))
}
