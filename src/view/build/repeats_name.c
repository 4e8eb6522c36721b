/* repeats_name.c: compares names of repeated layers, and makes one name for a set. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/compare.h"
#include "base/text.h"
#include "base/xalloc.h"
#include "view/build/repeats.h"

enum { MAX_RANGES = 8, MAX_DIGITS = 18 };

static bool is_separator(char c)
{
    return c == '_' || c == '.' || c == '-';
}

struct text repeats_relative_name(const struct tree *t, enum view_id view, row_id row)
{
    struct text name = tree_text(t, row);
    const row_id parent = t->parent[row];
    struct text scope;

    if (view != VIEW_SCOPE || parent == ROW_NONE || parent == 0)
        return name;
    scope = tree_text(t, parent);
    if (name.len > scope.len + 1) {
        name.bytes += scope.len + 1;
        name.len -= scope.len + 1;
    }
    return name;
}

/* ---- keys */

/* Appends the name without its last number and the separator before it. A digit followed by a
 * letter is part of a word, as in "conv2d". */
static void add_without_last(struct strbuf *sb, struct text name)
{
    uint32_t from, to = name.len;

    while (to && !(is_digit(name.bytes[to - 1]) && (to == name.len || !is_letter(name.bytes[to]))))
        to--;
    for (from = to; from && is_digit(name.bytes[from - 1]);)
        from--;
    if (from < to && from && is_separator(name.bytes[from - 1]))
        from--;
    sb_add(sb, name.bytes, to ? from : name.len);
    if (to)
        sb_add(sb, name.bytes + to, name.len - to);
}

/* Appends "file.py:12:call" without the line number. */
static void add_without_line(struct strbuf *sb, struct text name)
{
    const char *colon = memchr(name.bytes, ':', name.len);
    uint32_t from = colon ? (uint32_t)(colon - name.bytes) + 1 : name.len, to = from;

    while (to < name.len && is_digit(name.bytes[to]))
        to++;
    sb_add(sb, name.bytes, from);
    sb_add(sb, name.bytes + to, name.len - to);
}

static void add_without_numbers(struct strbuf *sb, struct text name)
{
    for (uint32_t i = 0; i < name.len; i++)
        if (!is_digit(name.bytes[i]))
            sb_addc(sb, name.bytes[i]);
}

void repeats_key(struct strbuf *sb, enum view_id view, struct text name)
{
    sb_clear(sb);
    if (view == VIEW_GRAPH)
        add_without_numbers(sb, name);
    else if (view == VIEW_CODE)
        add_without_line(sb, name);
    else
        add_without_last(sb, name);
}

/* ---- one name for all */

/* The part of a name between the common prefix and suffix. */
struct part {
    struct text digits; /* after a separator that only names with a number have */
    uint64_t number;
};

struct naming {
    struct text first;
    uint32_t head, tail;  /* length of the common prefix and suffix */
    struct part *parts;   /* parts of the names with a number */
    uint32_t n_parts, n_empty;
    char separator; /* separator before the numbers; 0: none */
    bool numbers;   /* all parts consist of a number only */
};

static uint32_t common_head(struct text a, struct text b, uint32_t max)
{
    uint32_t n = 0;

    while (n < max && n < b.len && a.bytes[n] == b.bytes[n])
        n++;
    return n;
}

static uint32_t common_tail(struct text a, struct text b, uint32_t max)
{
    uint32_t n = 0;

    while (n < max && n < b.len && a.bytes[a.len - 1 - n] == b.bytes[b.len - 1 - n])
        n++;
    return n;
}

/* Finds the common prefix and suffix of all names; they do not split a number. */
static void find_ends(struct naming *names, const struct tree *t, const row_id *rows, uint32_t n)
{
    const struct text first = names->first;
    uint32_t least = first.len;

    names->head = names->tail = first.len;
    for (uint32_t i = 1; i < n; i++) {
        const struct text name = tree_text(t, rows[i]);

        names->head = common_head(first, name, names->head);
        names->tail = common_tail(first, name, names->tail);
        least = name.len < least ? name.len : least;
    }
    while (names->head && names->head < first.len && is_digit(first.bytes[names->head - 1]))
        names->head--;
    names->tail = names->tail < least - names->head ? names->tail : least - names->head;
    while (names->tail && is_digit(first.bytes[first.len - names->tail]))
        names->tail--;
}

static void add_part(struct naming *names, struct text name)
{
    struct part part = {.digits = {name.bytes + names->head, name.len - names->head - names->tail}};
    char separator = 0;

    if (!part.digits.len) {
        names->n_empty++;
        return;
    }
    if (is_separator(*part.digits.bytes)) {
        separator = *part.digits.bytes++;
        part.digits.len--;
    }
    names->numbers = names->numbers && part.digits.len && part.digits.len <= MAX_DIGITS &&
                     (!names->n_parts || separator == names->separator);
    for (uint32_t i = 0; i < part.digits.len && names->numbers; i++) {
        names->numbers = is_digit(part.digits.bytes[i]);
        part.number = part.number * 10 + (uint64_t)(part.digits.bytes[i] - '0');
    }
    names->separator = separator;
    names->parts[names->n_parts++] = part;
}

COMPARE_BY(by_number, struct part, number)

static void add_ranges(struct strbuf *sb, const struct naming *names)
{
    const struct part *parts = names->parts;
    uint32_t n_ranges = 0;

    if (names->separator)
        sb_addc(sb, names->separator);
    for (uint32_t i = 0, end; i < names->n_parts; i = end) {
        for (end = i + 1; end < names->n_parts && parts[end].number <= parts[end - 1].number + 1;)
            end++;
        sb_adds(sb, n_ranges ? "," : "");
        if (++n_ranges > MAX_RANGES) {
            sb_adds(sb, "...");
            return;
        }
        sb_add(sb, parts[i].digits.bytes, parts[i].digits.len);
        if (parts[end - 1].number == parts[i].number)
            continue;
        sb_addc(sb, end - i == 2 ? ',' : '-');
        sb_add(sb, parts[end - 1].digits.bytes, parts[end - 1].digits.len);
    }
}

static void add_parts(struct strbuf *sb, struct naming *names, struct text last)
{
    if (names->n_parts == 0)
        return; /* all names are equal */
    sb_addc(sb, '[');
    if (names->numbers) {
        qsort(names->parts, names->n_parts, sizeof *names->parts, by_number);
        sb_adds(sb, names->n_empty ? "," : "");
        add_ranges(sb, names);
    } else {
        sb_add(sb, names->first.bytes + names->head, names->first.len - names->head - names->tail);
        sb_adds(sb, "..");
        sb_add(sb, last.bytes + names->head, last.len - names->head - names->tail);
    }
    sb_addc(sb, ']');
}

void repeats_name(struct strbuf *sb, const struct tree *t, const row_id *rows, uint32_t n)
{
    struct naming names = {.first = tree_text(t, rows[0]), .parts = xcalloc(n, sizeof *names.parts),
                           .numbers = true};

    find_ends(&names, t, rows, n);
    for (uint32_t i = 0; i < n; i++)
        add_part(&names, tree_text(t, rows[i]));
    sb_add(sb, names.first.bytes, names.head);
    add_parts(sb, &names, tree_text(t, rows[n - 1]));
    sb_add(sb, names.first.bytes + names.first.len - names.tail, names.tail);
    sb_addf(sb, " x%" PRIu32, n);
    free(names.parts);
}
