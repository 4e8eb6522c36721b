/* case_tree_no_sqlite.c: a program without SQLite makes no databases. */
#include "meaning/case_tree.h"

void case_tree_encode_sqlite(const struct case_tree *t, size_t i, struct strbuf *out)
{
    (void)t, (void)i;
    sb_adds(out, "SQLite format 3");
}
