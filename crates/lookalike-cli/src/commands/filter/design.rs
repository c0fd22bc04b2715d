//! What does a filter find and miss, in words and as JSON?

use lookalike::sketch::{Filter, Plan};
use serde_json::{Value, json};

use super::plot;

/// Claims of the paper's introduction about [6, 14, 2]: at this resemblance, the share that is found (or missed, if false) is below
/// this bound.
const CLAIMS: [(f64, bool, f64); 4] =
    [(0.975, false, 0.01), (0.99, false, 0.000_22), (0.77, true, 0.01), (0.5, true, 0.6e-7)];

/// A filter, and the filters to compare it with.
pub struct Design {
    pub plan: Plan,
    pub threshold: f64,
    pub prior: &'static str,
    /// The filter by the paper's rules, with as many features.
    pub rules: Plan,
    /// Settings of other tools, and whose they are.
    pub published: Vec<(&'static str, Plan)>,
    pub at: Vec<f64>,
}

impl Design {
    /// Returns whether this is the paper's own filter.
    fn is_papers(&self) -> bool {
        self.plan.filter.to_string() == "6,14,2"
    }

    pub fn json(&self) -> Value {
        let about = |plan: &Plan| {
            let filter = plan.filter;
            json!({
                "k": filter.k(), "s": filter.s(), "r": filter.r(),
                "functions": filter.functions(), "bytes": filter.bytes(), "super_features": filter.super_features(),
                "recall_at_threshold": plan.recall, "recall_above_threshold": plan.recall_above,
                "useless_share": plan.useless, "half_at": filter.resemblance_at(0.5), "error": filter.error(self.threshold),
            })
        };
        let at = |&rho: &f64| {
            let filter = self.plan.filter;
            json!({"resemblance": rho, "found": filter.found(rho), "missed": filter.missed(rho)})
        };
        let published = |(whose, plan): &(&str, Plan)| {
            let mut row = about(plan);
            row["whose"] = json!(whose);
            row
        };
        let mut all = json!({
            "threshold": self.threshold,
            "prior": self.prior,
            "filter": about(&self.plan),
            "at": self.at.iter().map(at).collect::<Vec<_>>(),
            "rules": about(&self.rules),
            "rules_s": Filter::steepest_s(self.threshold),
            "rules_r": self.plan.filter.k() as f64 * self.threshold.powi(self.plan.filter.s() as i32),
            "published": self.published.iter().map(published).collect::<Vec<_>>(),
        });
        if self.is_papers() {
            let claim = |&(rho, of_found, bound): &(f64, bool, f64)| {
                let value = if of_found { self.plan.filter.found(rho) } else { self.plan.filter.missed(rho) };
                let what = if of_found { "found" } else { "missed" };
                json!({"resemblance": rho, "of": what, "printed_below": bound, "value": value, "holds": value < bound})
            };
            all["paper"] = CLAIMS.iter().map(claim).collect();
        }
        all
    }

    pub fn text(&self) -> String {
        let (plan, filter, threshold) = (&self.plan, self.plan.filter, self.threshold);
        let mut out = format!(
            "[{}, {}, {}]: {} features of {} values, {} or more equal; {} functions and {} bytes per document\n\n",
            filter.k(),
            filter.s(),
            filter.r(),
            filter.k(),
            filter.s(),
            filter.r(),
            filter.functions(),
            filter.bytes()
        );
        out += &plot::draw(filter, threshold);
        out += &format!("\n{:<42} {}\n", format!("found at {threshold}"), share(plan.recall));
        out += &format!("{:<42} {}\n", format!("found of all at {threshold} or more ¹"), share(plan.recall_above));
        out += &format!("{:<42} {}\n", "useless among pairs that pass ¹", share(plan.useless));
        out += &format!("{:<42} {:.4}\n", "half of the pairs are found at", filter.resemblance_at(0.5));
        out += &format!("{:<42} {:.4}\n", "the paper's error integral", filter.error(threshold));
        for &rho in &self.at {
            out += &format!(
                "{:<42} {}, missed {}\n",
                format!("found at {rho}"),
                share(filter.found(rho)),
                share(filter.missed(rho))
            );
        }
        if self.is_papers() {
            out += "\nclaims of the paper's introduction:\n";
            for (rho, of_found, bound) in CLAIMS {
                let value = if of_found { filter.found(rho) } else { filter.missed(rho) };
                let verdict = if value < bound { "holds" } else { "off by rounding" };
                let what = if of_found { "found" } else { "missed" };
                out += &format!("  {what:<6} at {rho:<5}  less than {bound:<7e}  {value:<9.3e}  {verdict}\n");
            }
        }
        out += &format!(
            "\nby the paper's rules for {threshold}: s = 1/ln(1/ρ₀) = {:.2}, r = k·ρ₀ˢ = {:.2} for the s above, and P = ½ at the threshold\n\n",
            Filter::steepest_s(threshold),
            filter.k() as f64 * threshold.powi(filter.s() as i32)
        );
        let at_threshold = format!("found at {threshold}");
        out += &format!(
            "{:<13}{:>7}{:>11}{at_threshold:>16}{:>10}{:>9}\n",
            "k, s, r", "bytes", "functions", "useless ¹", "half at"
        );
        let rows = [("this filter", plan), ("the paper's rules", &self.rules)];
        for (whose, plan) in rows.into_iter().chain(self.published.iter().map(|(whose, plan)| (*whose, plan))) {
            let filter = plan.filter;
            let line = format!(
                "{:<13}{:>7}{:>11}{:>16}{:>10}{:>9.3}  {whose}",
                format!("{}, {}, {}", filter.k(), filter.s(), filter.r()),
                filter.bytes(),
                filter.functions(),
                share(plan.recall),
                share(plan.useless),
                filter.resemblance_at(0.5)
            );
            out += line.trim_end();
            out.push('\n');
        }
        let prior = match self.prior {
            "uniform" => "all resemblances are equally frequent, as the paper assumes",
            _ => "the frequency of a resemblance falls like ρ⁻², from 0.05 on",
        };
        out + &format!("\n¹ if {prior} (--prior {})\n", self.prior)
    }
}

/// Formats a share with four decimal places, but never rounds it to 0 or 1.
fn share(share: f64) -> String {
    match share {
        0.0 => "0".to_string(),
        1.0 => "1".to_string(),
        _ if share < 0.0001 => format!("{share:.2e}"),
        _ if share > 0.9999 => format!("1−{:.0e}", 1.0 - share),
        _ => format!("{share:.4}"),
    }
}
