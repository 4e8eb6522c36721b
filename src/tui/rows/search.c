/* search.c: searches displayed rows for part of a name. */
#include "tui/rows/search.h"

#include <stdlib.h>

/* One item for names that contain a match of the text; commas belong to the regex. */
void search_list(const struct search *s, struct strbuf *sb)
{
    sb_adds(sb, "(?s:.*)(?:");
    for (const char *text = sb_text(&s->text); *text; text++) {
        if (*text == '\\' && text[1]) {
            sb_add(sb, text++, 2);
            continue;
        }
        sb_adds(sb, *text == ',' ? "\\" : "");
        sb_addc(sb, *text);
    }
    sb_adds(sb, ")(?s:.*)");
}

void search_forget(struct search *s)
{
    EACH(free, s->before, s->strings);
    s->before = NULL;
    s->strings = NULL;
    s->result = NULL;
    s->generation++;
}

bool search_set(struct search *s, const char *text, struct err *err)
{
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

void search_set_matches(struct search *s, struct result *r, uint32_t *before, uint8_t *strings)
{
    search_forget(s);
    s->before = before;
    s->strings = strings;
    s->result = r;
}

bool search_is_known(const struct search *s, const struct result *r)
{
    return s->regexes && r && s->result == r;
}

uint32_t search_count(const struct search *s)
{
    return s->before[s->result->tree->n_rows];
}

static bool is_match(const struct search *s, row_id row)
{
    return s->before[row] < s->before[row + 1];
}

bool search_matches(const struct search *s, const struct result *r, row_id row)
{
    if (search_is_known(s, r))
        return is_match(s, row);
    return s->regexes &&
           regexes_match(s->regexes, tree_name(r->tree, row), tree_name_len(r->tree, row)) >= 0;
}

/* ---- matches in display order */

/* Number of matches at and below ROW. */
static uint32_t matches_in(const struct search *search, row_id row)
{
    return search->before[search->result->tree->end[row]] - search->before[row];
}

/* Displayed children of a row, from the last one when searching backwards. */
struct siblings {
    const row_id *rows;
    uint32_t n;
    bool backward;
};

static struct siblings siblings_of(const struct search *search, row_id parent, bool backward)
{
    struct siblings s = {.backward = backward};

    s.rows = result_children(search->result, parent, &s.n);
    return s;
}

static row_id sibling(const struct siblings *s, uint32_t i)
{
    return s->rows[s->backward ? s->n - 1 - i : i];
}

/* The first sibling from I on with a match at or below it. */
static row_id matching_sibling(const struct search *search, const struct siblings *s, uint32_t i)
{
    for (; i < s->n; i++)
        if (matches_in(search, sibling(s, i)))
            return sibling(s, i);
    return ROW_NONE;
}

/* The first match at or below ROW, which has one; backwards the last. */
static row_id first_in(const struct search *search, row_id row, int direction, bool reverse)
{
    for (;;) {
        struct siblings s;
        row_id below;

        if (direction > 0 && row && is_match(search, row))
            return row;
        s = siblings_of(search, row, reverse != (direction < 0));
        below = matching_sibling(search, &s, 0);
        if (below == ROW_NONE)
            return row;
        row = below;
    }
}

/* The first match after ROW and its subtree. */
static row_id next_after(const struct search *search, row_id row, int direction, bool reverse)
{
    for (; row; row = result_parent(search->result, row)) {
        const row_id up = result_parent(search->result, row);
        const struct siblings s = siblings_of(search, up, reverse != (direction < 0));
        uint32_t i = 0;
        row_id next;

        while (i < s.n && sibling(&s, i) != row)
            i++;
        next = matching_sibling(search, &s, i + 1);
        if (next != ROW_NONE)
            return first_in(search, next, direction, reverse);
        if (direction < 0 && up && is_match(search, up))
            return up;
    }
    return ROW_NONE;
}

row_id search_next(const struct search *search, row_id row, int direction, bool reverse,
                   bool *wrapped)
{
    row_id next = ROW_NONE;

    *wrapped = false;
    if (!search_count(search))
        return ROW_NONE;
    if (direction > 0 && matches_in(search, row) > (row && is_match(search, row))) {
        const struct siblings s = siblings_of(search, row, reverse != (direction < 0));

        next = first_in(search, matching_sibling(search, &s, 0), direction, reverse);
    } else {
        next = next_after(search, row, direction, reverse);
    }
    *wrapped = next == ROW_NONE;
    return *wrapped ? first_in(search, 0, direction, reverse) : next;
}

uint32_t search_number(const struct search *search, row_id row, bool reverse)
{
    uint32_t number = 1;

    if (!row || !is_match(search, row))
        return 0;
    while (row) {
        const row_id up = result_parent(search->result, row);
        const struct siblings s = siblings_of(search, up, reverse);

        for (uint32_t i = 0; i < s.n && sibling(&s, i) != row; i++)
            number += matches_in(search, sibling(&s, i));
        number += up && is_match(search, up);
        row = up;
    }
    return number;
}

void search_done(struct search *s)
{
    EACH(sb_done, &s->text, &s->last);
    regexes_free(s->regexes);
    folds_unref(s->folds);
    tree_unref(s->tree);
    search_forget(s);
}

void search_remap(struct search *s, const struct rowmap *maps)
{
    search_forget(s); /* the matches are searched again */
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

void search_typed_regexes(struct strbuf *sb, const char *text)
{
    static const char plain[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
                                "0123456789_/-: ";

    if (!*text)
        sb_adds(sb, ".*");
    else if (text[strspn(text, plain)])
        sb_adds(sb, text);
    else
        sb_addf(sb, ".*%s.*", text);
}
