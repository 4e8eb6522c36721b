/* list_search.c: searches an overlay's list for part of an entry. */
#include "tui/dialogs/list_search.h"

#include <stdlib.h>

#include "base/xalloc.h"
#include "tui/app.h"
#include "tui/dialogs/prompt.h"

/* The nearest overlay with a list. */
static struct overlay *find_list(const struct app *a)
{
    struct overlay *o = a->ui.top;

    while (o && !o->ops->list)
        o = o->below;
    return o;
}

static void find_match(struct overlay *o, struct app *a, size_t from)
{
    const size_t n = o->ops->list(o, a).n;

    for (size_t i = 0; o->needle && i < n; i++) {
        const size_t at = (from + i) % n;

        if (o->ops->entry_has(o, at, o->needle)) {
            o->ops->entry_go(o, a, at);
            return;
        }
    }
    if (o->needle)
        app_print(a, ROLE_NOTE, "no line contains '%s'", o->needle);
}

static void needle_changed(struct app *a, const char *text)
{
    struct overlay *o = find_list(a);

    if (!o)
        return;
    free(o->needle);
    o->needle = *text ? xstrdup(text) : NULL;
    find_match(o, a, 0);
}

/* the prompt hid this message while it was open */
static bool needle_done(struct app *a, const char *text UNUSED)
{
    struct overlay *o = find_list(a);

    if (o)
        find_match(o, a, o->ops->list(o, a).at);
    return true;
}

static const struct prompt_ops needle_prompt = {
    .label = "/",
    .changed = needle_changed,
    .done = needle_done,
};

void list_search_open(struct app *a)
{
    if (a->ui.top && a->ui.top->ops->list)
        prompt_open(a, &needle_prompt, "");
}

bool list_search_key(struct overlay *o, struct app *a, uint32_t key)
{
    if (key != 'n' || !o->needle)
        return false;
    find_match(o, a, o->ops->list(o, a).at + 1);
    return true;
}
