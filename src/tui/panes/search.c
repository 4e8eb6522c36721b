/* search.c: finding displayed rows by part of their name. */
#include "tui/panes/search.h"

#include <stdlib.h>

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

void search_list(const struct search *s, struct strbuf *sb)
{
    part_regex(sb, sb_text(&s->text));
}

void search_forget(struct search *s)
{
    free(s->before);
    s->before = NULL;
    s->result = NULL;
}

bool search_set(struct app *a, const char *text, struct err *err)
{
    struct search *s = &a->search;
    struct strbuf item = {0};

    sb_clear(&s->text);
    sb_adds(&s->text, text);
    regexes_free(s->regexes);
    s->regexes = NULL;
    s->then = 0;
    search_forget(s);
    if (!*text)
        return true;
    search_list(s, &item);
    s->regexes = regexes_new(sb_text(&item), err);
    sb_done(&item);
    return s->regexes != NULL;
}

void search_take(struct app *a, uint32_t *before)
{
    search_forget(&a->search);
    a->search.before = before;
    a->search.result = a->result;
}

bool search_is_known(const struct app *a)
{
    return a->search.regexes && a->result && a->search.result == a->result;
}

uint32_t search_count(const struct app *a)
{
    return a->search.before[a->result->tree->n_rows];
}

bool search_matches(const struct app *a, row_id row)
{
    if (search_is_known(a))
        return a->search.before[row] < a->search.before[row + 1];
    return a->search.regexes && regexes_match(a->search.regexes, tree_name(a->result->tree, row),
                                              tree_name_len(a->result->tree, row)) >= 0;
}

/* ---- matches in the order of the screen */

/* Matches at and below ROW. */
static uint32_t matches_in(const struct app *a, row_id row)
{
    return a->search.before[a->result->tree->end[row]] - a->search.before[row];
}

/* Children of a row as they stand on the screen, from its last when going up. */
struct siblings {
    const row_id *rows;
    uint32_t n;
    bool backward;
};

static struct siblings siblings_of(struct app *a, row_id parent, int direction)
{
    struct siblings s = {.backward = a->reverse != (direction < 0)};

    s.rows = result_children(a->result, parent, &s.n);
    return s;
}

static row_id sibling(const struct siblings *s, uint32_t i)
{
    return s->rows[s->backward ? s->n - 1 - i : i];
}

/* The first of the siblings from I on with a match at or below it. */
static row_id matching_sibling(const struct app *a, const struct siblings *s, uint32_t i)
{
    for (; i < s->n; i++)
        if (matches_in(a, sibling(s, i)))
            return sibling(s, i);
    return ROW_NONE;
}

/* The first match at or below ROW, which has one: going up, the last. */
static row_id first_in(struct app *a, row_id row, int direction)
{
    for (;;) {
        struct siblings s;
        row_id below;

        if (direction > 0 && row && search_matches(a, row))
            return row;
        s = siblings_of(a, row, direction);
        below = matching_sibling(a, &s, 0);
        if (below == ROW_NONE)
            return row;
        row = below;
    }
}

/* The first match that stands behind ROW and what is below it. */
static row_id behind(struct app *a, row_id row, int direction)
{
    for (; row; row = result_parent(a->result, row)) {
        const row_id up = result_parent(a->result, row);
        const struct siblings s = siblings_of(a, up, direction);
        uint32_t i = 0;
        row_id next;

        while (i < s.n && sibling(&s, i) != row)
            i++;
        next = matching_sibling(a, &s, i + 1);
        if (next != ROW_NONE)
            return first_in(a, next, direction);
        if (direction < 0 && up && search_matches(a, up))
            return up;
    }
    return ROW_NONE;
}

row_id search_next(struct app *a, row_id row, int direction, bool *wrapped)
{
    row_id next = ROW_NONE;

    *wrapped = false;
    if (!search_count(a))
        return ROW_NONE;
    if (direction > 0 && matches_in(a, row) > (row && search_matches(a, row))) {
        const struct siblings s = siblings_of(a, row, direction);

        next = first_in(a, matching_sibling(a, &s, 0), direction);
    } else {
        next = behind(a, row, direction);
    }
    *wrapped = next == ROW_NONE;
    return *wrapped ? first_in(a, 0, direction) : next;
}

/* The number, from 1, of ROW among the matches as the rows stand on the screen; 0: it is none. */
static uint32_t match_number(struct app *a, row_id row)
{
    uint32_t number = 1;

    if (!row || !search_matches(a, row))
        return 0;
    while (row) {
        const row_id up = result_parent(a->result, row);
        const struct siblings s = siblings_of(a, up, 1);

        for (uint32_t i = 0; i < s.n && sibling(&s, i) != row; i++)
            number += matches_in(a, sibling(&s, i));
        number += up && search_matches(a, up);
        row = up;
    }
    return number;
}

void search_said(struct app *a, struct strbuf *sb)
{
    const uint32_t count = search_count(a), number = match_number(a, app_row(a));

    if (number) {
        figure_grouped(sb, number);
        sb_addc(sb, '/');
    }
    figure_grouped(sb, count);
    if (!number)
        sb_adds(sb, count == 1 ? " match" : " matches");
    sb_addf(sb, " for /%s", sb_text(&a->search.text));
}

void search_done(struct search *s)
{
    sb_done(&s->text);
    sb_done(&s->last);
    regexes_free(s->regexes);
    folds_unref(s->folds);
    tree_unref(s->tree);
    free(s->before);
}

void search_remap(struct search *s, const struct rowmap *maps)
{
    search_forget(s); /* its matches are looked for again */
    for (int v = 0; v < VIEW_COUNT && s->tree; v++)
        if (maps[v].from == s->tree) {
            rowmap_apply(&maps[v], &s->tree, &s->folds, &s->from);
            return;
        }
    tree_unref(s->tree);
    folds_unref(s->folds);
    s->tree = NULL;
    s->folds = NULL;
}
