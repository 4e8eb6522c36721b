/* match_wrappers.c: finds scopes that wrap the other graph's content: `model/conv` and `conv`. */

#include "base/slots.h"
#include "match/matching.h"

/* Limits: scopes of a list that are examined, levels of wrappers. */
enum { EXAMINED_MOST = 8, LEVELS_MOST = 64 };

/* A wrapper contains at least this share of the other graph's content, and is more similar to all
 * of it than to any part. */
static const double CONTAINED_LEAST = 0.6, MORE_SIMILAR = 0.03, SAME = 0.02;

/* True when INDEX has a scope of LIST with name or content KEY. */
static bool has_equal(const struct slots *index, const struct forest *f, const scope_list *list,
                      uint64_t key)
{
    size_t probe = slots_find(index, key);
    uint32_t at;

    while ((at = slots_next(index, &probe)) != SLOTS_NONE) {
        const struct scope *other = &f->scopes.data[list->data[at]];

        if (other->name == key || other->content == key)
            return true;
    }
    return false;
}

/* Lists scopes whose name and content do not occur in the other list. */
static void list_alone(const struct forest *f, const scope_list *list, const struct forest *other,
                       const scope_list *other_list, scope_list *alone)
{
    struct slots index;

    alone->n = 0;
    slots_init(&index, 2 * other_list->n + 1);
    for (size_t i = 0; i < other_list->n; i++) {
        const struct scope *s = &other->scopes.data[other_list->data[i]];

        slots_add(&index, s->name, (uint32_t)i);
        if (!has_equal(&index, other, other_list, s->content)) /* many may be equal */
            slots_add(&index, s->content, (uint32_t)i);
    }
    for (size_t i = 0; i < list->n; i++) {
        const struct scope *s = &f->scopes.data[list->data[i]];

        if (!has_equal(&index, other, other_list, s->name) &&
            !has_equal(&index, other, other_list, s->content))
            vec_push(alone, list->data[i]);
    }
    slots_done(&index);
}

static double similarity(const struct bag *a, const struct bag *b)
{
    const struct overlap o = bags_overlap(a, b);
    const double shapes = overlap_with_shapes(o), names = overlap_without_shapes(o);

    return (shapes + names) / 2;
}

/* True when a child of WRAPPER corresponds to PART and no other child is similar. */
static bool has_part_below(const struct forest *f, scope_id wrapper, const struct forest *other,
                           scope_id part, double similar)
{
    const struct scope *w = &f->scopes.data[wrapper], *p = &other->scopes.data[part];
    struct bag bag, below;
    bool found = false;

    bag_init(&bag, other, part);
    for (uint32_t i = w->child_begin; i < w->child_end && !found; i++) {
        const struct scope *child = &f->scopes.data[f->children[i]];

        if (2 * (uint64_t)forest_size(f, f->children[i]) < bag.n)
            continue;
        if (child->canonical != p->canonical &&
            (w->child_end - w->child_begin > 1 || p->child_end - p->child_begin <= 1))
            continue;
        bag_init(&below, f, f->children[i]);
        found = similarity(&below, &bag) >= similar - SAME;
        bag_done(&below);
    }
    bag_done(&bag);
    return found;
}

/* True when SCOPE wraps ALONE, the scopes of the other graph without a counterpart. */
static bool is_wrapper(const struct forest *f, scope_id scope, const struct forest *other,
                       const scope_list *alone)
{
    struct bag bag, all, part;
    double whole, best = 0;
    scope_id most = SCOPE_NONE;
    bool contained;

    bag_init(&bag, f, scope);
    bag_init_list(&all, other, alone->data, (uint32_t)alone->n);
    whole = similarity(&bag, &all);
    contained = overlap_contained(bags_overlap(&bag, &all)) >= CONTAINED_LEAST;
    bag_done(&all);
    for (size_t i = 0; i < alone->n && contained; i++) {
        double similar;

        if (2 * (uint64_t)forest_size(other, alone->data[i]) < bag.n / 2)
            continue; /* too small to be similar */
        bag_init(&part, other, alone->data[i]);
        similar = similarity(&bag, &part);
        bag_done(&part);
        if (similar > best) {
            best = similar;
            most = alone->data[i];
        }
    }
    bag_done(&bag);
    if (!contained)
        return false;
    return whole > best + MORE_SIMILAR ||
           (most != SCOPE_NONE && has_part_below(f, scope, other, most, best));
}

static void splice(const struct forest *f, scope_list *list, scope_id scope)
{
    const struct scope *s = &f->scopes.data[scope];
    scope_list spliced = {0};

    for (size_t i = 0; i < list->n; i++) {
        if (list->data[i] != scope) {
            vec_push(&spliced, list->data[i]);
            continue;
        }
        for (uint32_t k = s->child_begin; k < s->child_end; k++)
            if (forest_size(f, f->children[k]))
                vec_push(&spliced, f->children[k]);
    }
    vec_done(list);
    *list = spliced;
}

/* Replaces one wrapper of LIST. False when there is none. */
static bool replace_wrapper(const struct forest *f, scope_list *list, const struct forest *other,
                            const scope_list *other_list)
{
    scope_list mine = {0}, others = {0};
    uint32_t examined = 0;
    bool found = false;

    list_alone(f, list, other, other_list, &mine);
    list_alone(other, other_list, f, list, &others);
    for (size_t i = 0; i < mine.n && others.n && !found && examined < EXAMINED_MOST; i++) {
        if (!forest_n_children(f, mine.data[i]) || forest_size(f, mine.data[i]) < 2)
            continue;
        examined++;
        found = is_wrapper(f, mine.data[i], other, &others);
        if (found)
            splice(f, list, mine.data[i]);
    }
    EACH(vec_done, &mine, &others);
    return found;
}

void match_wrappers(const struct matching *m, scope_list *a, scope_list *b)
{
    for (int level = 0; level < LEVELS_MOST && !cancel_asked(m->cancel); level++)
        if (!replace_wrapper(&m->a.f, a, &m->b.f, b) && !replace_wrapper(&m->b.f, b, &m->a.f, a))
            break;
}
