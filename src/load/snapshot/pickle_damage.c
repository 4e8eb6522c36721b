/* pickle_damage.c: completes the containers of a pickle that ends early (formats-snapshot.md section
 * 2). */
#include "base/xalloc.h"

#include "load/snapshot/pickle.h"

static void set_mark(struct pickle *p, pickle_value container, uint8_t mark)
{
    p->marks_of_object[pickle_index(container)] |= mark;
}

/* Marks the last list among N VALUES as possibly truncated. */
static void open_last_list(struct pickle *p, const pickle_value *values, size_t n)
{
    while (n-- > 0)
        if (pickle_kind(values[n]) == PICKLE_LIST) {
            set_mark(p, values[n], PICKLE_IS_OPEN);
            return;
        }
}

/* Sets N VALUES as items of DICT.  Values without a key are appended to the previous list. */
static void set_items_of_dict(struct pickle *p, pickle_value dict, const pickle_value *values, size_t n)
{
    const pickle_value *last = NULL; /* the value set last */
    size_t i = 0;

    while (i < n) {
        if (pickle_kind(values[i]) != PICKLE_TEXT && last && pickle_kind(*last) == PICKLE_LIST) {
            pickle_append(p, *last, &values[i], 1);
            set_mark(p, *last, PICKLE_IS_OPEN);
            i++;
            continue;
        }
        if (i + 1 == n)
            break;
        pickle_set_items(p, dict, values + i, 1);
        last = &values[i + 1];
        i += 2;
    }
    if (n)
        set_mark(p, dict, PICKLE_IS_INCOMPLETE);
    open_last_list(p, values, n);
}

void pickle_complete(struct pickle *p)
{
    p->marks_of_object = xcalloc(p->objects.n, 1);
    while (p->marks.n) {
        const size_t at = p->marks.data[--p->marks.n];
        const pickle_value *values = vec_from(&p->stack, at);
        const size_t n = p->stack.n - at;
        const pickle_value below = at ? p->stack.data[at - 1] : PICKLE_ABSENT;

        if (pickle_kind(below) == PICKLE_LIST) {
            pickle_append(p, below, values, n);
            if (n)
                set_mark(p, below, PICKLE_IS_OPEN);
            open_last_list(p, values, n);
        } else if (pickle_kind(below) == PICKLE_DICT) {
            set_items_of_dict(p, below, values, n);
        }
        p->stack.n = at;
    }
}
