/* summary_checkpoint.c: the tensors of a checkpoint, and the largest of them. */
#include <inttypes.h>
#include <stdlib.h>

#include "base/compare.h"
#include "base/satmath.h"
#include "base/xalloc.h"
#include "load/checkpoint/checkpoint.h"
#include "load/graph/dtype.h"
#include "model/format.h"
#include "session/summary/summary_parts.h"

/* Bytes per element; 0: not numeric. */
static int64_t element_bytes(const struct checkpoint_tensor *t)
{
    const struct dtype *type = dtype_find(t->dtype);

    return type && t->n_elements >= 0 ? type->size_bytes : 0;
}

/* Tensors are stored sorted by name, so the address breaks ties. */
COMPARE_POINTERS(by_size, struct checkpoint_tensor, DOWN(n_elements) || THEN(COMPARE(a, b)))

static void add_sums(struct summary *s, const struct checkpoint *c,
                     const struct checkpoint_tensor *const *numbers, size_t n)
{
    struct summary_line *line = summary_add(s, "checkpoint", "tensors");
    int64_t n_elements = 0, n_bytes = 0;
    bool saturated = false;

    for (size_t i = 0; i < n; i++) {
        n_elements = sat_add(n_elements, numbers[i]->n_elements, &saturated);
        n_bytes = sat_add(n_bytes,
                          sat_mul(numbers[i]->n_elements, element_bytes(numbers[i]), &saturated),
                          &saturated);
    }
    sb_addf(&line->value, "%zu of numbers, %s", n, checkpoint_format(c));
    if (n < checkpoint_n_tensors(c))
        sb_addf(&summary_add(s, "checkpoint", "others")->value, "%zu",
                checkpoint_n_tensors(c) - n);
    format_number(&summary_add(s, "checkpoint", "elements")->value, n_elements);
    sb_addf(&s->lines[s->n - 1].value, " (%" PRId64 ")", n_elements);
    format_memory(&summary_add(s, "checkpoint", "bytes")->value, n_bytes);
    sb_addf(&s->lines[s->n - 1].value, " (%" PRId64 ")", n_bytes);
}

void summary_checkpoint(struct summary *s, const struct profile *p)
{
    const struct checkpoint *c = p->checkpoint;
    const size_t n_all = c ? checkpoint_n_tensors(c) : 0;
    const struct checkpoint_tensor **numbers;
    size_t n = 0;

    if (!c)
        return;
    numbers = xcalloc(n_all, sizeof *numbers);
    for (size_t i = 0; i < n_all; i++)
        if (element_bytes(checkpoint_tensor(c, i)))
            numbers[n++] = checkpoint_tensor(c, i);
    add_sums(s, c, numbers, n);
    if (n)
        qsort(numbers, n, sizeof *numbers, by_size);
    for (size_t i = 0; i < n && i < SUMMARY_MAX_LINES; i++) {
        struct summary_line *line = summary_add(s, "checkpoint", "");

        sb_add(&line->label, numbers[i]->name.bytes, numbers[i]->name.len);
        format_dims(&line->value, numbers[i]->shape.dims, numbers[i]->shape.n_dims);
        sb_addf(&line->value, "  %s", dtype_name(numbers[i]->dtype));
        line->node = profile_find(p, numbers[i]->name.bytes, numbers[i]->name.len);
    }
    summary_add_more(s, "checkpoint", n > SUMMARY_MAX_LINES ? n - SUMMARY_MAX_LINES : 0);
    free(numbers);
}
