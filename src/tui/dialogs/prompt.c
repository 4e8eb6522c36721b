/* prompt.c: prompts in the status row, and the search of a list. */
#include "tui/dialogs/prompt.h"

#include <stdlib.h>

#include "base/xalloc.h"
#include "tui/action.h"
#include "tui/app.h"
#include "tui/ui_state.h"

enum { LINE_MIN = 20 }; /* minimum columns for the line beside a message */

struct prompt {
    struct overlay overlay;
    const struct prompt_ops *ops;
    struct lineedit line;
    size_t back; /* steps back in the history; 0: the edited line */
    char *kept;  /* the edited line while the history is displayed */
};

static void prompt_draw(struct overlay *o, struct app *a, struct area screen)
{
    const struct prompt *p = (const struct prompt *)o;
    struct area row = a->ui.layout.tiny ? area_sub(screen, screen.rows - 1, 0, 1, screen.cols)
                                     : layout_area(&a->ui.canvas, a->ui.layout.status);
    const char *note = sb_text(&a->ui.message.text);
    const int note_cols = text_cols(note, strlen(note));
    int col;

    area_fill(row, 0, 0, row.cols, ' ', ROLE_TEXT);
    col = area_printf(row, 0, 0, ROLE_KEY, " %s", p->ops->label);
    if (note_cols && col + LINE_MIN + note_cols < row.cols) {
        area_puts(row, 0, row.cols - note_cols - 1, note, a->ui.message.role);
        row.cols -= note_cols + 2;
    } else if (note_cols && row.top > 0) { /* on the row above */
        struct area above = area_sub(area_all(&a->ui.canvas), row.top - 1, 0, 1, row.cols);

        area_fill(above, 0, 0, above.cols, ' ', ROLE_TEXT);
        area_puts(above, 0, 1, note, a->ui.message.role);
    }
    lineedit_draw(&p->line, row, 0, col, row.cols - col - 1);
}

static struct lineedit *prompt_edit(struct overlay *o)
{
    return &((struct prompt *)o)->line;
}

static void prompt_edited(struct overlay *o, struct app *a)
{
    const struct prompt *p = (const struct prompt *)o;

    if (p->ops->changed)
        p->ops->changed(a, sb_text(&p->line.text));
}

static void prompt_accept(struct overlay *o, struct app *a)
{
    const struct prompt *p = (const struct prompt *)o;
    const struct prompt_ops *ops = p->ops;
    char *text = xstrdup(sb_text(&p->line.text));
    struct overlay *above;

    if (ops->keeps_history)
        ui_state_remember(a, text);
    /* Closed first, because the line may open something else. */
    overlay_remove(a, o);
    above = a->ui.top;
    if (ops->done && !ops->done(a, text) && a->ui.top == above) {
        prompt_open(a, ops, text);
        /* typing corrects the text instead of replacing it */
        prompt_edit(a->ui.top)->gives_way = false;
    }
    free(text);
}

static void prompt_cancel(struct overlay *o, struct app *a)
{
    const struct prompt_ops *ops = ((const struct prompt *)o)->ops;

    if (ops->cancelled)
        ops->cancelled(a);
}

static unsigned prompt_idle(const struct overlay *o)
{
    return ((const struct prompt *)o)->ops->complete ? 0 : OFFER_COMPLETE;
}

static void prompt_complete(struct overlay *o, struct app *a)
{
    struct prompt *p = (struct prompt *)o;
    struct strbuf line = {0};

    if (p->ops->complete &&
        p->ops->complete(a, sb_text(&p->line.text), p->line.caret, &line)) {
        lineedit_set(&p->line, sb_text(&line));
        prompt_edited(o, a);
    }
    sb_done(&line);
}

static void prompt_history(struct overlay *o, struct app *a, int direction)
{
    struct prompt *p = (struct prompt *)o;
    const size_t back = p->back - (size_t)(ptrdiff_t)direction;
    const char *text;

    if (!p->ops->keeps_history || (direction > 0 && p->back == 0))
        return;
    text = back ? ui_state_history(a, back) : p->kept;
    if (!text)
        return;
    if (p->back == 0) {
        free(p->kept);
        p->kept = xstrdup(sb_text(&p->line.text));
    }
    p->back = back;
    lineedit_set(&p->line, text);
    prompt_edited(o, a);
}

static void prompt_done(struct overlay *o)
{
    struct prompt *p = (struct prompt *)o;

    lineedit_done(&p->line);
    free(p->kept);
}

static const struct overlay_ops prompt_overlay = {
    .mode = "PROMPT",
    .context = CTX_PROMPT,
    .draw = prompt_draw,
    .accept = prompt_accept,
    .cancel = prompt_cancel,
    .edit = prompt_edit,
    .edited = prompt_edited,
    .complete = prompt_complete,
    .idle = prompt_idle,
    .history = prompt_history,
    .done = prompt_done,
};

void prompt_open(struct app *a, const struct prompt_ops *ops, const char *text)
{
    struct prompt *p = overlay_open(a, &prompt_overlay, sizeof *p);

    p->ops = ops;
    lineedit_set(&p->line, text ? text : "");
    p->line.gives_way = true;
}

/* The nearest overlay with a list. */
static struct overlay *find_list(const struct app *a)
{
    struct overlay *o = a->ui.top;

    while (o && !o->ops->entry_has)
        o = o->below;
    return o;
}

static void find_match(struct overlay *o, struct app *a, size_t from)
{
    const size_t n = o->ops->n_entries(o);

    for (size_t i = 0; o->needle && i < n; i++) {
        const size_t at = (from + i) % n;

        if (o->ops->entry_has(o, at, o->needle)) {
            if (o->ops->entry_go)
                o->ops->entry_go(o, a, at);
            o->at = at;
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
        find_match(o, a, o->at);
    return true;
}

static const struct prompt_ops needle_prompt = {
    .label = "/",
    .changed = needle_changed,
    .done = needle_done,
};

void list_search_open(struct app *a, int arg UNUSED)
{
    if (a->ui.top && a->ui.top->ops->entry_has)
        prompt_open(a, &needle_prompt, "");
}

bool list_search_key(struct overlay *o, struct app *a, uint32_t key)
{
    if (key != 'n' || !o->needle)
        return false;
    find_match(o, a, o->at + 1);
    return true;
}
