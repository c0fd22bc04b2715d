"""py_stringsimjoin: jaccard_join of a table with itself (it has no other way), one thread, as in its documentation."""

import join_sets
import pandas
from py_stringmatching.tokenizer.whitespace_tokenizer import WhitespaceTokenizer
from py_stringsimjoin.join.jaccard_join import jaccard_join


def join(sets, threshold):
    table = pandas.DataFrame({"id": range(len(sets)), "text": [" ".join(tokens) for tokens in sets]})
    found = jaccard_join(table, table.copy(), "id", "id", "text", "text", WhitespaceTokenizer(return_set=True),
                         threshold, n_jobs=1, show_progress=False)
    return int((found["l_id"] < found["r_id"]).sum())


join_sets.main(join)
