//! How do rows become sets? The arguments that say it.

use clap::{Args, ValueEnum};
use lookalike::engine::PageRule;
use lookalike::{Case, Tokens};

use super::rows::{READING, RowArgs};
use super::without::WithoutArgs;

#[derive(Args)]
#[command(next_help_heading = READING)]
pub struct ReadArgs {
    #[command(flatten)]
    pub rows: RowArgs,

    /// Rule by which a page becomes text: text, main, paper [default: text]
    ///
    /// text is what a reader sees; main is the same without menus, side bars and footers; paper is the terms of Henzinger's paper.
    /// docs/reference/pages.md has the exact rules.
    #[arg(long, value_name = "RULE")]
    pub page: Option<PageRule>,

    #[command(flatten)]
    pub without: WithoutArgs,

    /// Unit of comparison: words:W, words, chars:Q, letters:Q, spots:D:C, raw
    ///
    /// words:5 means shingles of five words; words, single words; chars:3, shingles of three characters; letters:4, shingles of four
    /// letters without spaces and punctuation; spots:2:3, an English article or auxiliary verb with three of the words after it, always
    /// two words apart; raw, the text cut at white space, otherwise unchanged. `lookalike tokens` shows the result.
    #[arg(long, value_name = "SPEC", default_value_t)]
    pub tokens: Tokens,

    /// Count repeated shingles: the second occurrence is another element
    #[arg(long)]
    pub bag: bool,

    /// Ignore differences of case (fold) or not (keep)
    #[arg(long, value_enum, default_value_t = CaseArg::Fold, hide_possible_values = true)]
    pub case: CaseArg,
}

#[derive(Clone, Copy, ValueEnum)]
pub enum CaseArg {
    Fold,
    Keep,
}

impl From<CaseArg> for Case {
    fn from(case: CaseArg) -> Case {
        match case {
            CaseArg::Fold => Case::Fold,
            CaseArg::Keep => Case::Keep,
        }
    }
}
