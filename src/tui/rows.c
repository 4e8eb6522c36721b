/* rows.c: the flattened index of visible rows. */
#include "tui/rows.h"

/* Children of one open row that are still to come. */
struct level {
    const row_id *children;
    uint32_t n, next;
};

typedef VEC(struct level) level_stack;
typedef VEC(struct row_entry) entry_vec;

static bool is_lifted(const struct result *r, row_id row)
{
    const row_id shown = r->shown_parent[row];

    return row && r->tree->parent[row] != (shown == ROW_NONE ? 0 : shown);
}

/* The entry of ROW; pushes its children when it is open. */
static struct row_entry enter(struct result *r, row_id row, uint32_t depth,
                              const struct folds *folds, level_stack *stack)
{
    struct row_entry e = {.row = row, .depth = depth};
    uint32_t n;
    const row_id *children = result_children(r, row, &n);

    if (is_lifted(r, row))
        e.flags |= ROW_LIFTED;
    if (!n)
        return e;
    e.flags |= ROW_HAS_CHILDREN;
    if (folds_is_open(folds, row)) {
        struct level level = {children, n, 0};

        e.flags |= ROW_OPEN;
        vec_push(stack, level);
    }
    return e;
}

/* Appends all that is visible below the levels on STACK. */
static void collect(struct result *r, const struct folds *folds, bool reverse, uint32_t depth,
                    level_stack *stack, entry_vec *out)
{
    while (stack->n) {
        struct level *top = &stack->data[stack->n - 1];
        const uint32_t below = depth + (uint32_t)stack->n;

        if (top->next == top->n) {
            stack->n--;
            continue;
        }
        const uint32_t i = reverse ? top->n - 1 - top->next : top->next;
        struct row_entry e;

        top->next++;
        e = enter(r, top->children[i], below, folds, stack);
        vec_push(out, e);
    }
}

void rows_build(struct rows *rows, struct result *r, const struct folds *folds)
{
    level_stack stack = {0};
    entry_vec out = {0};
    struct row_entry root = enter(r, 0, 0, folds, &stack);

    vec_push(&out, root);
    collect(r, folds, rows->reverse, 0, &stack, &out);
    vec_done(&stack);
    rows_done(rows);
    rows->v.data = out.data;
    rows->v.n = out.n;
    rows->v.capacity = out.capacity;
    rows->result = r;
}

void rows_open(struct rows *rows, size_t i, const struct folds *folds)
{
    level_stack stack = {0};
    entry_vec out = {0};
    const uint32_t depth = rows->v.data[i].depth;

    rows_close(rows, i);
    rows->v.data[i] = enter(rows->result, rows->v.data[i].row, depth, folds, &stack);
    collect(rows->result, folds, rows->reverse, depth, &stack, &out);
    vec_reserve(&rows->v, rows->v.n + out.n);
    memmove(rows->v.data + i + 1 + out.n, rows->v.data + i + 1,
            (rows->v.n - i - 1) * sizeof *rows->v.data);
    if (out.n)
        memcpy(rows->v.data + i + 1, out.data, out.n * sizeof *out.data);
    rows->v.n += out.n;
    vec_done(&stack);
    vec_done(&out);
}

void rows_close(struct rows *rows, size_t i)
{
    const uint32_t depth = rows->v.data[i].depth;
    size_t end = i + 1;

    while (end < rows->v.n && rows->v.data[end].depth > depth)
        end++;
    memmove(rows->v.data + i + 1, rows->v.data + end, (rows->v.n - end) * sizeof *rows->v.data);
    rows->v.n -= end - i - 1;
    rows->v.data[i].flags &= ~(uint32_t)ROW_OPEN;
}

size_t rows_find(const struct rows *rows, row_id row)
{
    for (size_t i = 0; i < rows->v.n; i++)
        if (rows->v.data[i].row == row)
            return i;
    return SIZE_MAX;
}

size_t rows_parent(const struct rows *rows, size_t i)
{
    const uint32_t depth = rows->v.data[i].depth;

    while (i > 0 && rows->v.data[i].depth >= depth)
        i--;
    return i;
}

void rows_done(struct rows *rows)
{
    vec_done(&rows->v);
    rows->result = NULL;
}
