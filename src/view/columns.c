/* columns.c: the set of columns that the stages fill, and which stage drops which of them. */
#include <stddef.h>
#include <string.h>

#include "view/stages.h"

#define COLUMNS(made, field)                                                                       \
    {                                                                                              \
        made, offsetof(struct columns, field),                                                     \
            sizeof(((struct columns *)0)->field) / sizeof(struct column *)                         \
    }

/* All column references in struct columns. */
static const struct {
    unsigned made; /* enum made bit */
    size_t offset, n;
} column_table[] = {
    COLUMNS(0, node_accounted),
    COLUMNS(MADE_ACCOUNT, accounted),
    COLUMNS(MADE_ACCOUNT, own),
    COLUMNS(MADE_ACCOUNT, kept),
    COLUMNS(MADE_NAMES, match),
    COLUMNS(MADE_DEVICES, device_match),
    COLUMNS(MADE_SELF, self),
    COLUMNS(MADE_SEQUENCE, sequence),
    COLUMNS(MADE_TOTAL, total),
    COLUMNS(MADE_START, started),
    COLUMNS(MADE_SHOWN, why),
    COLUMNS(MADE_SHOWN, shown_parent),
    COLUMNS(MADE_SHOWN, tested),
    COLUMNS(MADE_SHOWN_TOTAL, shown_total),
    COLUMNS(MADE_HIDDEN, hidden),
    COLUMNS(MADE_SIDES, sides),
    COLUMNS(MADE_NOISE, noise),
    COLUMNS(MADE_NOISE, noise_values),
    COLUMNS(MADE_NOISE, noise_rates),
    COLUMNS(MADE_BY_STEP, by_step),
    COLUMNS(MADE_BY_STEP, step_times),
};

enum { N_TABLE = sizeof column_table / sizeof *column_table };

static struct column **columns_at(struct columns *c, size_t entry)
{
    return (struct column **)(void *)((char *)c + column_table[entry].offset);
}

void columns_init(struct columns *c)
{
    memset(c, 0, sizeof *c);
    for (int figure = 0; figure < FIGURE_COUNT; figure++)
        c->saturated[figure] = NODE_NONE;
}

void columns_copy(struct columns *to, const struct columns *from)
{
    *to = *from;
    if (to->built)
        tree_ref(to->built);
    if (to->tree)
        tree_ref(to->tree);
    for (size_t i = 0; i < N_TABLE; i++)
        for (size_t k = 0; k < column_table[i].n; k++)
            column_ref(columns_at(to, i)[k]);
}

void columns_drop(struct columns *c, unsigned made)
{
    for (size_t i = 0; i < N_TABLE; i++)
        for (size_t k = 0; k < column_table[i].n && (column_table[i].made & made); k++)
            column_drop(&columns_at(c, i)[k]);
    if (made & MADE_BUILT) {
        tree_unref(c->built);
        c->built = NULL;
    }
    if (made & MADE_TREE) {
        tree_unref(c->tree);
        c->tree = NULL;
    }
}

void columns_done(struct columns *c)
{
    columns_drop(c, ~0U);
    column_drop(&c->node_accounted);
    columns_init(c);
}
