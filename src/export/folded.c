/* folded.c: the output folded: `root;parent;row N`, one line per row with a value of its own, as
 * flame graph tools read it; in a comparison `root;parent;row BASE NOW`, as tools for differential
 * flame graphs read it. */
#include "export/output.h"

#include "base/satmath.h"
#include "base/utf8.h"
#include "base/vec.h"
#include "export/rows/figure_choice.h"
#include "export/sinks/outbuf.h"
#include "view/delta.h"

/* The displayed rows from the root to the current one. */
struct stack {
    struct strbuf text;
    VEC(size_t) ends; /* [depth]: length of text including that row */
};

/* ';' separates frames, so it becomes ':' in names. */
static void add_frame(struct strbuf *sb, struct text name)
{
    const size_t start = sb->len;

    utf8_escape(sb, name.bytes, name.len);
    for (size_t i = start; i < sb->len; i++)
        if (sb->data[i] == ';')
            sb->data[i] = ':';
}

static void stack_push(struct stack *stack, const struct result *r, row_id row, uint32_t depth)
{
    vec_resize_zero(&stack->ends, (size_t)depth + 1);
    sb_truncate(&stack->text, depth ? stack->ends.data[depth - 1] : 0);
    if (depth)
        sb_addc(&stack->text, ';');
    add_frame(&stack->text, row_short_name(r, row));
    stack->ends.data[depth] = stack->text.len;
}

/* The row's total minus those of its displayed children, so that widths add up. */
static int64_t own_share(struct result *r, row_id row, const int64_t *total)
{
    uint32_t n;
    const row_id *children = result_output_children(r, row, &n);
    int64_t own = total[row];
    bool saturated = false;

    for (uint32_t i = 0; i < n; i++) {
        const int64_t below = children[i] == r->tree->outside ? 0 : total[children[i]];

        own = sat_add(own, below == INT64_MIN ? INT64_MAX : -below, &saturated);
    }
    return own;
}

static int64_t named_share(struct result *r, row_id row, int metric, const int64_t *total)
{
    return metric_to_named((enum metric_id)metric, own_share(r, row, total));
}

static bool write_folded(struct result *r, struct sink *s, struct err *err)
{
    const int metric = figure_choice("folded", r, err);
    struct result_walk walk;
    struct outbuf out;
    struct stack stack = {0};

    if (metric < 0)
        return false;
    result_need(r, FIELD_BIT(metric));
    outbuf_init(&out, s, err);
    result_walk_init(&walk, r, 0);
    while (outbuf_step(&out) && result_walk_next(&walk)) {
        const int64_t own = named_share(r, walk.row, metric, r->total[metric]);
        const int64_t base =
            result_compares(r) ? named_share(r, walk.row, metric, r->base_total[metric]) : 0;

        stack_push(&stack, r, walk.row, walk.depth);
        if ((own <= 0 && base <= 0) || (walk.row && walk.row == r->tree->outside))
            continue;
        sb_add(&out.text, stack.text.data, stack.text.len);
        if (result_compares(r)) {
            sb_addc(&out.text, ' ');
            sb_add_int(&out.text, base > 0 ? base : 0);
        }
        sb_addc(&out.text, ' ');
        sb_add_int(&out.text, own > 0 ? own : 0);
        sb_addc(&out.text, '\n');
    }
    result_walk_done(&walk);
    sb_done(&stack.text);
    vec_done(&stack.ends);
    return outbuf_end(&out);
}

static bool check_folded(const char *name, const struct result *r, struct err *err)
{
    return figure_choice(name, r, err) >= 0;
}

const struct output output_folded = {
    .name = "folded",
    .help = "stacks and one figure, for flame graph tools",
    .outfile = OUTFILE_OPTIONAL,
    .compares = true,
    .one_figure = true,
    .views = 1u << VIEW_SCOPE | 1u << VIEW_CODE,
    .check = check_folded,
    .write = write_folded,
};
