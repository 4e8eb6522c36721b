/* search.c: finding displayed rows by part of their name. */
#include "tui/search.h"

#include "tui/app.h"

/* The item of a regex list that matches a name of which TEXT matches a part;
 * commas belong to the regex. */
static void part_regex(struct strbuf *sb, const char *text)
{
    sb_adds(sb, "(?s:.*)(?:");
    for (; *text; text++) {
        if (*text == '\\' && text[1]) {
            sb_add(sb, text++, 2);
            continue;
        }
        if (*text == ',')
            sb_addc(sb, '\\');
        sb_addc(sb, *text);
    }
    sb_adds(sb, ")(?s:.*)");
}

bool search_set(struct app *a, const char *text, struct err *err)
{
    struct search *s = &a->search;
    struct strbuf item = {0};
    bool ok = true;

    sb_clear(&s->text);
    sb_adds(&s->text, text);
    regexes_free(s->regexes);
    s->regexes = NULL;
    s->result = NULL;
    s->matches.n = 0;
    if (*text) {
        part_regex(&item, text);
        s->regexes = regexes_new(sb_text(&item), err);
        ok = s->regexes != NULL;
        sb_done(&item);
    }
    return ok;
}

bool search_matches(const struct app *a, row_id row)
{
    return a->search.regexes && regexes_match(a->search.regexes, tree_name(a->result->tree, row),
                                              tree_name_len(a->result->tree, row)) >= 0;
}

static void collect(struct app *a)
{
    struct search *s = &a->search;
    struct result_walk w;

    s->matches.n = 0;
    s->result = a->result;
    result_walk_init(&w, a->result, 0);
    while (result_walk_next(&w))
        if (w.row && search_matches(a, w.row))
            vec_push(&s->matches, w.row);
    result_walk_done(&w);
}

/* How many matches stand before ROW in display order, folded ones too. */
static size_t position(struct app *a, row_id row)
{
    struct result_walk w;
    size_t at = 0;

    result_walk_init(&w, a->result, 0);
    while (result_walk_next(&w) && w.row != row)
        if (w.row && search_matches(a, w.row))
            at++;
    result_walk_done(&w);
    return at;
}

row_id search_next(struct app *a, row_id row, int direction, bool *wrapped)
{
    struct search *s = &a->search;
    size_t at, n;
    bool on_match;

    *wrapped = false;
    if (!s->regexes || !a->result)
        return ROW_NONE;
    if (s->result != a->result)
        collect(a);
    n = s->matches.n;
    if (!n)
        return ROW_NONE;
    at = position(a, row); /* matches before ROW */
    on_match = at < n && s->matches.data[at] == row;
    if (direction < 0) {
        *wrapped = at == 0;
        return s->matches.data[at ? at - 1 : n - 1];
    }
    if (on_match)
        at++;
    *wrapped = at >= n;
    return s->matches.data[at < n ? at : 0];
}

void search_done(struct search *s)
{
    sb_done(&s->text);
    regexes_free(s->regexes);
    folds_unref(s->folds);
    tree_unref(s->tree);
    vec_done(&s->matches);
}
