/* record_budget.c: chooses the heaviest records that fit. */
#include "export/sinks/record_budget.h"

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
