//! Arguments to a way of finding pairs by signatures.

use lookalike::{Measure, Plan, Prior, SimHash, Threshold, Wish};
use lookalike_engine::{Error, Recall, SignedReport, Signing};

use crate::args::{MethodArg, MethodArgs};
use crate::summary::count;

/// Henzinger's 384 bits, of which all but one in 32 must agree.
const BITS: u32 = 384;
const MAY_DIFFER: u32 = 32;

impl MethodArgs {
    /// The signatures that are asked for, if any; an option of another method is a mistake.
    pub fn signing(&self, threshold: &Threshold) -> Result<Option<Signing>, Error> {
        let options = [
            ("--recall", self.recall.is_some(), MethodArg::Minhash),
            ("--bytes", self.bytes.is_some(), MethodArg::Minhash),
            ("--features", self.features.is_some(), MethodArg::Minhash),
            ("--bits", self.bits.is_some(), MethodArg::Simhash),
            ("--agree", self.agree.is_some(), MethodArg::Simhash),
        ];
        if let Some((option, _, method)) = options.iter().find(|(_, given, method)| *given && *method != self.method) {
            let method = if *method == MethodArg::Minhash { "minhash" } else { "simhash" };
            return usage(format!("{option} is for --method {method}"));
        }
        match self.method {
            MethodArg::Exact => Ok(None),
            MethodArg::Minhash if threshold.measure() != Measure::Jaccard => {
                usage(format!("--method minhash is for jaccard, not for {}", threshold.measure()))
            }
            MethodArg::Minhash => self.plan(threshold.value().to_f64()).map(|plan| Some(Signing::MinHash(plan))),
            MethodArg::Simhash if threshold.is_distance() => {
                usage(format!("--method simhash does not go with {}", threshold.measure()))
            }
            MethodArg::Simhash => {
                let bits = self.bits.unwrap_or(BITS);
                SimHash::new(bits as usize).map_err(|error| Error::Usage(error.to_string()))?;
                let agree = self.agree.unwrap_or(bits - bits / MAY_DIFFER);
                if agree > bits {
                    return usage(format!("--agree {agree} is more than the {bits} bits there are"));
                }
                Ok(Some(Signing::SimHash { bits, agree }))
            }
        }
    }

    fn plan(&self, threshold: f64) -> Result<Plan, Error> {
        if let Some(filter) = self.features {
            return Ok(Plan::of(filter, threshold, Prior::default()));
        }
        let usual = Wish::new(threshold, self.recall.unwrap_or(0.99));
        let wish = Wish { bytes: self.bytes.unwrap_or(usual.bytes), ..usual };
        Plan::choose(&wish).map_err(|error| Error::Usage(error.to_string()))
    }
}

fn usage<T>(message: String) -> Result<T, Error> {
    Err(Error::Usage(message))
}

/// What the signatures did, on two lines.
pub fn summarise(report: &SignedReport) {
    eprintln!(
        "{}: {} bytes a document; {} candidates, each verified",
        report.filter,
        report.signature_bytes,
        count(report.candidates)
    );
    let designed = match report.designed_recall {
        Some(recall) => format!("recall designed for {recall:.4} at the threshold, "),
        None => "recall ".to_string(),
    };
    let Some(recall) = report.recall else { return };
    let Recall { low, high, sampled_sets, sets, sampled_pairs, .. } = recall;
    let drawn = format!("{} of {} sets drawn", count(sampled_sets), count(sets));
    match recall.measured {
        Some(measured) => eprintln!(
            "{designed}measured {measured:.4} ({low:.4} to {high:.4}, 95 %) on {} pairs of different sets, {drawn}",
            count(sampled_pairs)
        ),
        None => eprintln!("{designed}not measured: no pairs of different sets, {drawn}"),
    }
}
