/* bags.c: similarity of scopes by the labels of their nodes. */
#include "match/bags.h"

#include <stdlib.h>
#include <string.h>

#include "base/compare.h"
#include "base/hash.h"
#include "base/xalloc.h"

/* Larger bags are sorted by digits, smaller ones by comparison. */
enum { RADIX_BITS = 11, RADIX_SIZE = 1 << RADIX_BITS, RADIX_FROM = 2048, INSERTION_MOST = 24 };

COMPARE_VALUES(by_label, uint32_t)

static void sort_digits(uint32_t *labels, uint32_t n, uint32_t *scratch)
{
    for (unsigned shift = 0; shift < 32; shift += RADIX_BITS) {
        uint32_t begin[RADIX_SIZE + 1] = {0};

        for (uint32_t i = 0; i < n; i++)
            begin[((labels[i] >> shift) & (RADIX_SIZE - 1)) + 1]++;
        for (uint32_t i = 0; i < RADIX_SIZE; i++)
            begin[i + 1] += begin[i];
        for (uint32_t i = 0; i < n; i++)
            scratch[begin[(labels[i] >> shift) & (RADIX_SIZE - 1)]++] = labels[i];
        memcpy(labels, scratch, n * sizeof *labels);
    }
}

static void sort_labels(uint32_t *labels, uint32_t n, uint32_t *scratch)
{
    if (n >= RADIX_FROM) {
        sort_digits(labels, n, scratch);
    } else if (n > INSERTION_MOST) {
        qsort(labels, n, sizeof *labels, by_label);
    } else {
        for (uint32_t i = 1; i < n; i++) {
            const uint32_t label = labels[i];
            uint32_t at = i;

            for (; at && labels[at - 1] > label; at--)
                labels[at] = labels[at - 1];
            labels[at] = label;
        }
    }
}

static void add_labels(struct bag *bag, const struct forest *f, scope_id scope)
{
    for (uint32_t i = f->scopes.data[scope].from; i < f->scopes.data[scope].to; i++, bag->n++) {
        const struct label *label = &f->labels[i];
        const uint64_t role = forest_role(f, scope, f->scope_of[f->sequence[i]]);

        bag->full[bag->n] = label->full;
        bag->shaped[bag->n] = label->shaped;
        bag->named[bag->n] = label->named;
        bag->roles[bag->n] = (uint32_t)hash_pair(label->shaped, role);
    }
}

void bag_init_list(struct bag *bag, const struct forest *f, const scope_id *scopes, uint32_t n)
{
    size_t size = 0;
    uint32_t *all;

    for (uint32_t i = 0; i < n; i++)
        size += forest_size(f, scopes[i]);
    all = xreallocarray(NULL, 5 * size + 1, sizeof *all);
    *bag = (struct bag){.full = all, .shaped = all + size, .named = all + 2 * size, .roles = all + 3 * size};
    for (uint32_t i = 0; i < n; i++)
        add_labels(bag, f, scopes[i]);
    sort_labels(bag->full, bag->n, all + 4 * size);
    sort_labels(bag->shaped, bag->n, all + 4 * size);
    sort_labels(bag->named, bag->n, all + 4 * size);
    sort_labels(bag->roles, bag->n, all + 4 * size);
}

void bag_init(struct bag *bag, const struct forest *f, scope_id scope)
{
    bag_init_list(bag, f, &scope, 1);
}

void bag_done(struct bag *bag)
{
    free(bag->full);
    memset(bag, 0, sizeof *bag);
}

static uint32_t n_common(const uint32_t *a, uint32_t n_a, const uint32_t *b, uint32_t n_b)
{
    uint32_t i = 0, k = 0, n = 0;

    while (i < n_a && k < n_b) {
        const uint32_t x = a[i], y = b[k];

        n += x == y;
        i += x <= y;
        k += y <= x;
    }
    return n;
}

struct overlap bags_overlap(const struct bag *a, const struct bag *b)
{
    return (struct overlap){.full = n_common(a->full, a->n, b->full, b->n),
                            .shaped = n_common(a->shaped, a->n, b->shaped, b->n),
                            .named = n_common(a->named, a->n, b->named, b->n),
                            .roles = n_common(a->roles, a->n, b->roles, b->n), .n_a = a->n,
                            .n_b = b->n};
}

static double share(uint32_t common, struct overlap o)
{
    return o.n_a + o.n_b ? 2.0 * common / ((double)o.n_a + o.n_b) : 0;
}

/* Names of last components may also change, so equal ones count only a little more. */
double overlap_with_shapes(struct overlap o)
{
    return (3 * share(o.full, o) + share(o.shaped, o)) / 4 > share(o.shaped, o) * 0.9
               ? (3 * share(o.full, o) + share(o.shaped, o)) / 4
               : share(o.shaped, o) * 0.9;
}

double overlap_without_shapes(struct overlap o)
{
    return share(o.named > o.shaped ? o.named : o.shaped, o);
}

double overlap_contained(struct overlap o)
{
    const uint32_t least = o.n_a < o.n_b ? o.n_a : o.n_b;

    return least ? (double)(o.named > o.shaped ? o.named : o.shaped) / least : 0;
}

int64_t overlap_value(struct overlap o)
{
    return 4 * (int64_t)o.full + 3 * (int64_t)o.shaped + 2 * (int64_t)o.named + 2 * (int64_t)o.roles;
}

int64_t overlap_agreement(struct overlap o)
{
    return (((int64_t)o.full + o.shaped) << 24) + o.roles;
}
