"""SetSimilaritySearch: all_pairs, as in its README."""

import join_sets
from SetSimilaritySearch import all_pairs

join_sets.main(lambda sets, threshold: sum(1 for _ in all_pairs(sets, "jaccard", threshold)))
