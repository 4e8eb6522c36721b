/* details_code.c: the source lines of a node. */
#include "tui/panes/details/details_parts.h"

#include <string.h>

#include "tui/app.h"
#include "view/source_path.h"

/* Adds the text of the source line if its file exists. */
static void add_text(struct lines *l, struct app *a, const struct frame *f)
{
    const char *text = f->lineno > 0 ? source_text(a, f) : NULL;

    if (!text)
        return;
    lines_next(l);
    lines_tab(l, LABEL_COLS);
    lines_name(l, ROLE_NUMBER, text, strlen(text));
    lines_link(l, (struct link){.kind = LINK_SOURCE, .frame = f});
}

void details_source(struct lines *l, struct app *a, row_id row)
{
    const struct tree *t = a->doc.result->tree;
    const struct frame *f = t->frame && !t->n_folded[row] ? t->frame[row] : NULL;
    struct strbuf path = {0};

    a->doc.source.wanted = NULL;
    if (!f)
        return;
    source_path(&path, a->doc.result->options.source_map, t->profile, f);
    lines_field(l, "source", ROLE_TEXT, "%s:%d", sb_text(&path), (int)f->lineno);
    lines_link(l, (struct link){.kind = LINK_SOURCE, .frame = f});
    add_text(l, a, f);
    sb_done(&path);
}

/* Adds a frame of NODE's call stack; the first frame has a label. */
static void add_frame(struct lines *l, const struct profile *p, node_id node,
                      const struct frame *f, bool first)
{
    const char *file = profile_text(p, f->file), *slash = strrchr(file, '/');

    lines_field(l, first ? "code" : "", ROLE_TEXT, "%s", "");
    lines_name(l, ROLE_TEXT, slash ? slash + 1 : file, strlen(slash ? slash + 1 : file));
    lines_putf(l, ROLE_TEXT, ":%d ", (int)f->lineno);
    lines_name(l, ROLE_DIM, profile_text(p, f->function), intern_len(&p->strings, f->function));
    lines_link(l, (struct link){.kind = LINK_FRAME, .node = node, .frame = f});
}

void details_stack(struct lines *l, struct app *a, node_id node)
{
    const struct profile *p = a->doc.result->profile;
    const struct call_stacks *stacks = &p->call_stacks;
    const struct call_stack *t = profile_stack(p, p->stack[node]);
    /* Only one frame has its text. */
    const struct frame *own = a->doc.source.wanted ? NULL
        : innermost_own_frame(&a->doc.hidden_frames, t);
    for (uint32_t at = t->leaf; at != STACK_ROOT;) {
        const struct frame *frame = stack_frame(stacks, at);
        const bool first = at == t->leaf;
        uint32_t n_hidden = 0;

        for (; at != STACK_ROOT && frame_is_hidden(&a->doc.hidden_frames, stack_frame(stacks, at));
             at = stacks->nodes[at].caller)
            n_hidden++;
        if (!n_hidden) {
            add_frame(l, p, node, frame, first);
            if (frame == own)
                add_text(l, a, own);
            own = frame == own ? NULL : own;
            at = stacks->nodes[at].caller;
            continue;
        }
        lines_field(l, first ? "code" : "", ROLE_DIM, "%u library frame%s", n_hidden,
                    n_hidden == 1 ? "" : "s");
        lines_link(l, (struct link){.kind = LINK_ACTION, .action = "library-frames"});
    }
}
