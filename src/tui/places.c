/* places.c: the jump list and marks. */
#include "tui/places.h"

#include <stdlib.h>
#include <string.h>

#include "base/xalloc.h"
#include "tui/app.h"
#include "tui/undo.h"

struct place place_here(struct app *a)
{
    const row_id row = app_row(a);

    return (struct place){true, a->doc.requested.view, row,
                          a->doc.result ? app_node_of(a, row) : NODE_NONE};
}

row_id place_row(struct place place, const struct tree *t)
{
    if (place.row && place.row < t->n_rows)
        return place.row;
    if (place.node != NODE_NONE && t->row_of_node[place.node] != ROW_NONE)
        return t->row_of_node[place.node]; /* saved by its node only */
    return 0;
}

void place_go(struct app *a, struct place place)
{
    if (!place.set || !a->doc.result)
        return;
    if (place.view != a->doc.requested.view) {
        app_change(a, place.view, &a->doc.requested.options);
        a->nav.goal = place;
    } else {
        app_go(a, place_row(place, a->doc.result->tree));
    }
}

static bool same_place(struct place a, struct place b)
{
    return a.view == b.view && a.row == b.row;
}

static void forget_state(struct jump *jump)
{
    if (jump->state)
        undo_forget(jump->state);
    free(jump->state);
    jump->state = NULL;
}

static struct snapshot *state_now(struct app *a)
{
    struct snapshot *s = xcalloc(1, sizeof *s);

    *s = undo_snapshot(a);
    return s;
}

/* Adds PLACE with STATE (given). */
static void add_jump(struct places *p, struct place place, struct snapshot *state)
{
    const struct jump jump = {place, state};

    if (!state && p->jumps.n && !p->jumps.data[p->jumps.n - 1].state &&
        same_place(p->jumps.data[p->jumps.n - 1].place, place))
        return;
    if (p->jumps.n == PLACES_MAX) {
        forget_state(&p->jumps.data[0]);
        memmove(p->jumps.data, p->jumps.data + 1, --p->jumps.n * sizeof *p->jumps.data);
    }
    vec_push(&p->jumps, jump);
}

/* Adds the current place and drops the places after the current position. */
static void jump_from_here(struct app *a, struct snapshot *state)
{
    struct places *p = &a->nav.places;

    while (p->jumps.n > p->at)
        forget_state(&p->jumps.data[--p->jumps.n]);
    add_jump(p, place_here(a), state);
    p->at = p->jumps.n;
}

void places_jump(struct app *a)
{
    if (a->doc.result)
        jump_from_here(a, NULL);
}

void places_drill(struct app *a)
{
    if (a->doc.result)
        jump_from_here(a, state_now(a));
}

/* Goes from jump FROM, the current one, to its neighbour TO. */
static void travel(struct app *a, size_t from, size_t to)
{
    struct places *p = &a->nav.places;
    const struct jump *jump = &p->jumps.data[to];

    if (jump->state && !p->jumps.data[from].state)
        p->jumps.data[from].state = state_now(a); /* saved to return here */
    p->at = to;
    if (jump->state)
        undo_go(a, jump->state);
    else
        place_go(a, jump->place);
}

bool places_travel(struct app *a, int direction)
{
    struct places *p = &a->nav.places;

    if (direction > 0) {
        if (p->at + 1 >= p->jumps.n)
            return false;
        travel(a, p->at, p->at + 1);
        return true;
    }
    if (!p->at)
        return false;
    if (p->at == p->jumps.n) {
        add_jump(p, place_here(a), NULL);
        p->at = p->jumps.n - 1;
        if (!p->at)
            return false;
    }
    travel(a, p->at, p->at - 1);
    return true;
}

void places_toggle_mark(struct app *a)
{
    struct places *p = &a->nav.places;
    const struct place here = place_here(a);

    for (size_t i = 0; i < p->marked.n; i++)
        if (same_place(p->marked.data[i], here)) {
            memmove(p->marked.data + i, p->marked.data + i + 1,
                    (p->marked.n - i - 1) * sizeof *p->marked.data);
            p->marked.n--;
            return;
        }
    vec_push(&p->marked, here);
}

bool places_is_marked(const struct app *a, enum view_id view, row_id row)
{
    for (size_t i = 0; i < a->nav.places.marked.n; i++)
        if (a->nav.places.marked.data[i].view == view && a->nav.places.marked.data[i].row == row)
            return true;
    return false;
}

void places_done(struct places *p)
{
    for (size_t i = 0; i < p->jumps.n; i++)
        forget_state(&p->jumps.data[i]);
    EACH(vec_done, &p->jumps, &p->marked);
}

void place_remap(struct place *place, const struct rowmap *maps)
{
    if (place->set && place->row && maps[place->view].from)
        place->row = rowmap_row(&maps[place->view], place->row);
}

void places_remap_rows(struct places *p, const struct rowmap *maps)
{
    for (size_t i = 0; i < p->jumps.n; i++)
        place_remap(&p->jumps.data[i].place, maps);
    for (size_t i = 0; i < p->marked.n; i++)
        place_remap(&p->marked.data[i], maps);
    for (int i = 0; i < PLACE_LETTERS; i++)
        place_remap(&p->letters[i], maps);
}

void places_remap(struct places *p, const struct rowmap *maps)
{
    places_remap_rows(p, maps);
    for (size_t i = 0; i < p->jumps.n; i++)
        if (p->jumps.data[i].state)
            undo_remap_state(p->jumps.data[i].state, maps);
}
