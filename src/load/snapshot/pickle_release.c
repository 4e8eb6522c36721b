/* pickle_release.c: frees list elements that were read, so that later ones reuse it. */
#include "load/snapshot/pickle.h"

enum { STACK_DEPTH_MAX = 64 }; /* bounds the work of each release */

static bool is_container(pickle_value v)
{
    return pickle_kind(v) == PICKLE_LIST || pickle_kind(v) == PICKLE_DICT;
}

/* True if V is a container made since pickle_keep(). */
static bool is_new(const struct pickle *p, pickle_value v)
{
    return is_container(v) && pickle_index(v) >= p->kept.n_objects;
}

void pickle_keep(struct pickle *p, pickle_value list)
{
    p->kept = (struct pickle_kept){p->objects.n, p->dict_values.n, p->memo.n, pickle_index(list), false};
}

/* True if no value below the last MARK is a new container. */
static bool is_stack_kept(const struct pickle *p)
{
    const size_t n = p->marks.n ? p->marks.data[p->marks.n - 1] : 0;

    for (size_t i = 0; i < n && n <= STACK_DEPTH_MAX; i++)
        if (is_new(p, p->stack.data[i]))
            return false;
    return n <= STACK_DEPTH_MAX;
}

/* True if all new containers are watched dicts, and lists that share cells: later parts of the pickle refer
 * to others, such as frames. */
static bool has_events_only(const struct pickle *p)
{
    for (size_t i = p->kept.n_objects; i < p->objects.n; i++) {
        const struct pickle_object *o = &p->objects.data[i];

        if (o->keys ? !o->is_watched : o->capacity != 0)
            return false;
    }
    return true;
}

bool pickle_release(struct pickle *p, pickle_value list, uint32_t n)
{
    if (p->kept.is_changed || p->kept.list != pickle_index(list) || p->far_memo.n || !is_stack_kept(p) ||
        !has_events_only(p))
        return false;
    for (size_t i = p->kept.n_memo; i < p->memo.n; i++)
        if (is_new(p, p->memo.data[i]))
            p->memo.data[i] = PICKLE_RELEASED;
    p->objects.n = p->kept.n_objects;
    p->dict_values.n = p->kept.n_values;
    pickle_object(p, list)->n = n;
    return true;
}
