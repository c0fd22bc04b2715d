//! Where are the labels, and what do they mean? The arguments that say it.

use clap::Args;

#[derive(Args)]
#[command(next_help_heading = "Labels")]
pub struct LabelArgs {
    /// Files with labels: pairs labelled 1 or 0, groups, or a list of all pairs that are the same
    ///
    /// A table in .jsonl, .csv, .tsv or .parquet. Pairs have the columns a, b and label; pairs without a row are unlabelled. Without a
    /// column label, the table is a list of all pairs that are the same, and all other pairs are different. Groups have the columns
    /// id and cluster.
    #[arg(long, value_name = "FILE", required = true, num_args = 1..)]
    pub labels: Vec<String>,

    #[command(flatten)]
    pub meaning: LabelMeaningArgs,
}

#[derive(Args)]
#[command(next_help_heading = "Labels")]
pub struct LabelMeaningArgs {
    /// Columns of the labels, if they have other names: A,B,LABEL, or A,B, or ID,CLUSTER
    #[arg(long, value_name = "COLUMNS", value_delimiter = ',')]
    pub label_columns: Vec<String>,

    /// Labels that mean the same; all others mean different [default: 1, true, yes, y, same, match, duplicate]
    #[arg(long, value_name = "CLASS[,CLASS…]", value_delimiter = ',')]
    pub same: Vec<String>,

    /// Pairs that no label mentions are different
    #[arg(long)]
    pub complete: bool,

    /// The two label columns are an id and its group
    #[arg(long, conflicts_with = "complete")]
    pub groups: bool,
}
