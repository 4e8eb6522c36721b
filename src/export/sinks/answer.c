/* answer.c: chooses the heaviest records that fit into a budget, and writes them. */
#include "export/sinks/answer.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/compare.h"
#include "base/xalloc.h"

COMPARE_WITH(by_weight, uint32_t, struct budget_record,
             THEN(COMPARE(with[*b].weight, with[*a].weight)) || THEN(COMPARE(with[*a].depth, with[*b].depth)) ||
             THEN(COMPARE(*a, *b)))

/* Takes record I and its untaken ancestors if they fit in ROOM bytes; *USED: bytes so far. */
static bool take(struct record_budget *b, uint32_t i, size_t room, size_t *used)
{
    size_t bytes = *used;

    for (uint32_t at = i; at != RECORD_NONE && !b->taken[at]; at = b->records[at].parent) {
        bytes += b->length(b->context, at);
        if (bytes > room)
            return false;
    }
    for (uint32_t at = i; at != RECORD_NONE && !b->taken[at]; at = b->records[at].parent) {
        b->taken[at] = 1;
        b->n_taken++;
    }
    *used = bytes;
    return true;
}

/* Takes records in ORDER up to ROOM bytes. */
static void take_all(struct record_budget *b, const uint32_t *order, size_t room)
{
    size_t used = 0;
    uint64_t n = 0;

    memset(b->taken, 0, (size_t)b->n + 1);
    b->n_taken = 0;
    for (uint32_t i = 0; i < b->n && (!b->top || n < b->top); i++) {
        if (!b->taken[order[i]] && !take(b, order[i], room, &used))
            return;
        n++;
    }
}

/* Returns the size of the whole answer, or LIMIT if that is less. */
static size_t whole_size(const struct record_budget *b, size_t limit)
{
    size_t bytes = b->whole_bytes;

    for (uint32_t i = 0; i < b->n && bytes < limit; i++)
        bytes += b->length(b->context, i);
    return bytes < limit ? bytes : limit;
}

bool budget_choose(struct record_budget *b, struct err *err)
{
    const size_t limit = b->bytes ? (size_t)b->bytes : SIZE_MAX;
    uint32_t *order = xreallocarray(NULL, (size_t)b->n + 1, sizeof *order);

    b->taken = xcalloc((size_t)b->n + 1, 1);
    for (uint32_t i = 0; i < b->n; i++)
        order[i] = i;
    qsort_r(order, b->n, sizeof *order, by_weight, (void *)(uintptr_t)b->records);
    if (limit >= b->whole_bytes)
        take_all(b, order, limit - b->whole_bytes);
    if (b->n_taken < b->n || limit < b->whole_bytes)
        take_all(b, order, limit > b->rest_bytes ? limit - b->rest_bytes : 0);
    free(order);
    if (limit < b->rest_bytes && b->n_taken < b->n)
        return err_set(err, ERR_USAGE, "-budget %zu: this answer needs at least %zu bytes", limit,
                       whole_size(b, b->rest_bytes));
    return true;
}

void answer_add_lines(struct answer *a, struct text text, char last)
{
    const char *at = text.bytes, *const end = text.bytes + text.len;

    while (at < end) {
        const char *newline = memchr(at, '\n', (size_t)(end - at));
        const char *next = newline ? newline + 1 : end;
        size_t n = (size_t)((newline ? newline : end) - at);

        if (n && last && at[n - 1] == last)
            n--;
        else if (!last)
            n = (size_t)(next - at);
        if (n)
            vec_push(&a->pieces, ((struct text){at, (uint32_t)n}));
        at = next;
    }
}

static size_t length_of(void *context, uint32_t i)
{
    const struct answer *a = context;

    return a->pieces.data[i].len + strlen(a->separator);
}

static size_t frame_bytes(const struct answer *a, bool is_whole)
{
    const size_t n = a->pieces.n;
    struct strbuf sb = {0};
    size_t bytes;

    a->head(&sb, a->context, n, n); /* "false" is longer than "true" */
    if (!is_whole)
        a->omitted(&sb, a->context, NULL, 0);
    bytes = sb.len + a->tail.len + strlen(a->end);
    if (is_whole && n)
        bytes -= strlen(a->separator);
    sb_done(&sb);
    return bytes;
}

/* Without weights the first records count as the heaviest. */
static void weigh(struct answer *a)
{
    for (size_t i = a->records.n; i < a->pieces.n; i++)
        vec_push(&a->records,
                 ((struct budget_record){.weight = -(int64_t)i, .parent = RECORD_NONE}));
}

bool answer_fit(struct strbuf *sb, struct answer *a, int64_t bytes, int64_t top, struct err *err)
{
    struct record_budget b = {.n = (uint32_t)a->pieces.n,
                              .length = length_of,
                              .context = a,
                              .bytes = (uint64_t)bytes,
                              .top = (uint64_t)top};
    bool any = false, ok;

    weigh(a);
    b.records = a->records.data;
    b.whole_bytes = frame_bytes(a, true);
    b.rest_bytes = frame_bytes(a, false);
    ok = budget_choose(&b, err);
    if (ok)
        a->head(sb, a->context, b.n_taken, b.n);
    for (uint32_t i = 0; ok && i < b.n; i++) {
        if (!b.taken[i])
            continue;
        sb_adds(sb, any ? a->separator : "");
        sb_add(sb, a->pieces.data[i].bytes, a->pieces.data[i].len);
        any = true;
    }
    if (ok) {
        sb_add(sb, a->tail.bytes, a->tail.len);
        if (b.n_taken < b.n)
            a->omitted(sb, a->context, b.taken, b.n - b.n_taken);
        sb_adds(sb, a->end);
    }
    free(b.taken);
    return ok;
}

void answer_done(struct answer *a)
{
    EACH(vec_done, &a->pieces, &a->records);
}

void answer_omitted_json(struct strbuf *sb, void *context UNUSED, const uint8_t *taken, uint64_t n)
{
    sb_adds(sb, ",\"omitted\":{\"rows\":");
    if (taken)
        sb_addf(sb, "%" PRIu64 "}", n);
    else
        sb_adds(sb, FIGURE_WIDEST "}");
}

void answer_omitted_text(struct strbuf *sb, void *context UNUSED, const uint8_t *taken, uint64_t n)
{
    if (taken)
        sb_addf(sb, "omitted: %" PRIu64 " rows\n", n);
    else
        sb_adds(sb, "omitted: " FIGURE_WIDEST " rows\n");
}

static void add_nothing(struct strbuf *sb UNUSED, void *context UNUSED, uint64_t returned UNUSED,
                        uint64_t total UNUSED)
{
}

bool answer_keep_lines(struct strbuf *sb, const struct strbuf *whole, int64_t bytes, struct err *err)
{
    struct answer a = {.separator = "", .head = add_nothing, .omitted = answer_omitted_text, .end = ""};
    bool ok;

    answer_add_lines(&a, (struct text){sb_text(whole), (uint32_t)whole->len}, 0);
    ok = answer_fit(sb, &a, bytes, 0, err);
    answer_done(&a);
    return ok;
}
