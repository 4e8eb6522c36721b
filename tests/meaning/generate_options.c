/* generate_options.c: options of inputs and queries, which may name things that do not exist. */
#include <stdlib.h>

#include "fixtures/random_profile.h"
#include "meaning/generate.h"

static void draw_input_options(struct draw *d)
{
    static const char *const functions[] = {"inline", "list", "off"};

    if (draw_rarely(d, 5))
        put_option(d->tree, "--functions=%s", DRAW_ONE(d, functions));
    if (draw_rarely(d, 4))
        put_option(d->tree, "--function_rows=%lld", (long long[]){0, 1, 5, 100}[draw_below(d, 4)]);
    if (draw_rarely(d, 8))
        put_option(d->tree, "--open_calls=%s", draw_node_name(d, draw_below(d, d->n_nodes + 1)));
    if (draw_rarely(d, 10))
        put_option(d->tree, "--define_type=mine=.*n[0-4].*");
}

/* Options for counting FLOPs. */
static void draw_flops_options(struct draw *d)
{
    if (draw_rarely(d, 3))
        put_option(d->tree, "-batch=%lld", (long long)(draw_rarely(d, 4) ? llabs(draw_int(d) / 4) % INT32_MAX : 3));
    if (draw_rarely(d, 12))
        put_option(d->tree, "-bind=%s=%s", draw_node_name(d, draw_below(d, d->n_nodes + 1)),
                   (const char *[]){"2x3", "?x4", "2147483647x2147483647x2147483647", "1x1x1x1x1", "2"}[draw_below(d, 5)]);
    if (draw_rarely(d, 4))
        put_option(d->tree, "-flops_loops=true");
    if (draw_rarely(d, 5))
        put_option(d->tree, "-flops_unit=macs");
    if (draw_rarely(d, 6))
        put_option(d->tree, "-flops_transcendental=%lld", (long long[]){1, 10, 1000000}[draw_below(d, 3)]);
}

/* Options of a query, drawn like those of the query tests. */
static void draw_query_options(struct draw *d)
{
    struct options o;

    options_init(&o);
    random_query_options(&o, &d->random);
    for (size_t i = 0; i < option_table_n; i++) {
        const struct option *row = &option_table[i];
        struct strbuf value = {0};

        if (row->stands_for || row->kind == OPT_OUTPUT || option_is_default(&o, row))
            continue;
        option_print(&value, &o, row);
        put_option(d->tree, "-%s=%s", row->name, sb_text(&value));
        sb_done(&value);
    }
    options_done(&o);
}

void draw_options(struct draw *d)
{
    draw_input_options(d);
    draw_flops_options(d);
    if (draw_rarely(d, 3))
        draw_query_options(d);
}
