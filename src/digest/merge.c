/* merge.c: k-way merge of parts with a heap of their next records. */
#include "digest/part_files.h"

#include "base/macros.h"
#include "base/min_heap.h"
#include "base/xalloc.h"

struct heap {
    struct part_in **ins; /* [n]; the part with the smallest key is first */
    size_t n;
};

static bool is_before(const struct heap *h UNUSED, struct part_in *const *a, struct part_in *const *b)
{
    return digest_key_compare(&(*a)->record.key, &(*b)->record.key) < 0;
}

static void sift_down(struct heap *h, size_t at)
{
    HEAP_SIFT_DOWN(struct part_in *, h->ins, h->n, at, is_before, h)
}

/* Reads the first record of each part and builds the heap. */
static bool fill(struct heap *h, struct part_in *ins, size_t n, size_t *failed, struct err *err)
{
    for (size_t i = 0; i < n; i++) {
        if (!part_in_next(&ins[i], err)) {
            *failed = i;
            return false;
        }
        if (!ins[i].ended)
            h->ins[h->n++] = &ins[i];
    }
    for (size_t at = h->n / 2; at-- > 0;)
        sift_down(h, at);
    return true;
}

/* Moves the part on top to its next record. */
static bool advance(struct heap *h, struct part_in *ins, size_t *failed, struct err *err)
{
    if (!part_in_next(h->ins[0], err)) {
        *failed = (size_t)(h->ins[0] - ins);
        return false;
    }
    if (h->ins[0]->ended)
        h->ins[0] = h->ins[--h->n];
    sift_down(h, 0);
    return true;
}

bool digest_merge(struct part_in *ins, size_t n, struct part_out *out, struct cancel_mark cancel,
                  size_t *failed, struct err *err)
{
    struct heap h = {.ins = xcalloc(n + 1, sizeof(struct part_in *))};
    struct digest_record sum = {.figures = {0}};
    bool ok;

    *failed = n;
    ok = fill(&h, ins, n, failed, err);
    while (ok && h.n) {
        if (cancel_asked(cancel)) {
            ok = err_set(err, ERR_CANCELLED, "merge: cancelled");
            break;
        }
        digest_record_clear(&sum);
        sb_add(&sum.key, h.ins[0]->record.key.data, h.ins[0]->record.key.len);
        while (ok && h.n && digest_key_compare(&sum.key, &h.ins[0]->record.key) == 0) {
            digest_record_merge(&sum, &h.ins[0]->record);
            ok = advance(&h, ins, failed, err);
        }
        ok = ok && part_out_add(out, &sum, err);
    }
    digest_record_done(&sum);
    free(h.ins);
    return ok && part_out_end(out, err);
}
