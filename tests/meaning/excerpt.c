/* excerpt.c: excerpts of large messages: of each long list a few consecutive elements, or one
 * element and the elements it refers to. */
#include <stdlib.h>
#include <string.h>

#include "base/intern.h"
#include "meaning/generators.h"

enum { MAX_ELEMENTS = 40, MAX_FUNCTIONS = 8, MAX_TEXT = 2000, MAX_DEPTH = 128 };

/* The elements of one list. */
struct run {
    const struct case_tree *tree;
    VEC(size_t) starts; /* index of each element, then the end of the last */
    struct intern names;
    VEC(uint32_t) named; /* by name: the first element with it */
    bool *kept;          /* by element */
};

static bool is_field(const struct item *item, const char *name)
{
    return item->field && strcmp(item->field->name, name) == 0;
}

/* The largest number of elements to keep of the list that ITEM belongs to; 0: all. */
static uint32_t max_of(const struct item *item)
{
    static const char *const elements[] = {"node", "node_stats", "log_entries", "nodes", "node_def"};

    if (item->kind != ITEM_MESSAGE || !item->field)
        return 0;
    if (is_field(item, "function"))
        return MAX_FUNCTIONS;
    for (size_t i = 0; i < sizeof elements / sizeof *elements; i++)
        if (is_field(item, elements[i]))
            return MAX_ELEMENTS;
    return 0;
}

/* ---- a list */

static uint32_t run_length(const struct run *r)
{
    return (uint32_t)r->starts.n - 1;
}

/* Finds the elements of the list that begins with item I. */
static void run_init(struct run *r, const struct case_tree *t, size_t i)
{
    const struct item first = t->items.data[i];

    *r = (struct run){.tree = t};
    for (; i < t->items.n && t->items.data[i].depth == first.depth && t->items.data[i].field == first.field;
         i = case_tree_end(t, i))
        vec_push(&r->starts, i);
    vec_push(&r->starts, i);
    intern_init(&r->names);
    r->kept = calloc(r->starts.n, sizeof *r->kept);
    if (!r->kept)
        abort();
}

static void run_done(struct run *r)
{
    vec_done(&r->starts);
    intern_done(&r->names);
    vec_done(&r->named);
    free(r->kept);
}

/* Takes the first field `name` within each element as its name. */
static void read_names(struct run *r)
{
    const struct case_tree *t = r->tree;

    vec_push(&r->named, UINT32_MAX); /* for id 0, the empty name, which intern_init() adds */
    for (uint32_t e = 0; e < run_length(r); e++) {
        for (size_t i = r->starts.data[e]; i < r->starts.data[e + 1]; i++) {
            const struct item *item = &t->items.data[i];

            if (item->kind != ITEM_BYTES || !is_field(item, "name"))
                continue;
            if (intern_put(&r->names, case_tree_text(t, i), item->text_len) == r->named.n)
                vec_push(&r->named, e);
            break;
        }
    }
}

/* ---- choices */

static void keep_neighbours(struct run *r, struct draw *d, uint32_t wanted)
{
    const uint32_t from = draw_below(d, run_length(r) - wanted + 1);

    memset(r->kept + from, true, wanted);
}

/* The element that TEXT refers to, as "^name" and "name:1" do; UINT32_MAX: none. */
static uint32_t element_of(const struct run *r, const char *text, size_t len)
{
    const bool control = len && text[0] == '^';
    const char *name = text + control, *colon = memchr(text, ':', len);
    const size_t name_len = (size_t)((colon ? colon : text + len) - name);
    const strid id = intern_find(&r->names, name, name_len);

    return id == STRID_NONE ? UINT32_MAX : r->named.data[id];
}

/* Keeps an element, mostly from the end of the list, and those it refers to, directly or
 * indirectly, up to WANTED. */
static void keep_needed(struct run *r, struct draw *d, uint32_t wanted)
{
    VEC(uint32_t) todo = {0};
    uint32_t first = draw_below(d, run_length(r));

    for (uint32_t more = draw_below(d, 4); more > 0; more--) {
        const uint32_t other = draw_below(d, run_length(r));

        first = other > first ? other : first;
    }
    read_names(r);
    vec_push(&todo, first);
    r->kept[first] = true;
    for (size_t next = 0; next < todo.n; next++) {
        const uint32_t e = todo.data[next];

        for (size_t i = r->starts.data[e]; i < r->starts.data[e + 1] && todo.n < wanted; i++) {
            const struct item *item = &r->tree->items.data[i];
            const uint32_t needed = item->kind != ITEM_BYTES || item->text_len > MAX_TEXT
                                        ? UINT32_MAX
                                        : element_of(r, case_tree_text(r->tree, i), item->text_len);

            if (needed == UINT32_MAX || r->kept[needed])
                continue;
            r->kept[needed] = true;
            vec_push(&todo, needed);
        }
    }
    vec_done(&todo);
}

/* Marks in LEFT_OUT all but a few elements of the list that begins with item I; returns the end of
 * the list. */
static size_t choose(struct draw *d, const struct case_tree *t, size_t i, uint32_t max, bool *left_out)
{
    struct run r;
    uint32_t wanted;
    size_t end;

    run_init(&r, t, i);
    end = r.starts.data[run_length(&r)];
    wanted = run_length(&r) > max ? 1 + draw_below(d, max) : run_length(&r);
    if (draw_rarely(d, 2))
        keep_neighbours(&r, d, wanted);
    else
        keep_needed(&r, d, wanted);
    for (uint32_t e = 0; e < run_length(&r); e++)
        if (!r.kept[e])
            memset(left_out + r.starts.data[e], true, r.starts.data[e + 1] - r.starts.data[e]);
    run_done(&r);
    return end;
}

/* ---- whole messages */

static void add_item(struct case_tree *to, const struct case_tree *from, size_t i)
{
    const struct item item = from->items.data[i];
    const uint32_t depth = to->depth;

    /* Large constants only cost time. */
    to->depth += item.depth;
    case_tree_add(to, item, case_tree_text(from, i), item.text_len < MAX_TEXT ? item.text_len : MAX_TEXT);
    to->depth = depth;
}

void draw_excerpt(struct draw *d, const struct case_tree *from)
{
    bool *left_out = calloc(from->items.n + 1, sizeof *left_out);
    size_t list_end[MAX_DEPTH] = {0}; /* by depth: end of the last list */

    if (!left_out)
        abort();
    for (size_t i = 0; i < from->items.n; i++) {
        const uint32_t depth = from->items.data[i].depth, max = max_of(&from->items.data[i]);

        if (max && depth < MAX_DEPTH && i >= list_end[depth] && !left_out[i])
            list_end[depth] = choose(d, from, i, max, left_out);
        if (!left_out[i])
            add_item(d->tree, from, i);
    }
    free(left_out);
}
