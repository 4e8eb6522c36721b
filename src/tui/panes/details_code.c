/* details_code.c: the lines of code that made a node. */
#include "tui/panes/details_code.h"

#include <string.h>

#include "tui/app.h"

void details_source(struct lines *l, const struct tree *t, row_id row)
{
    const struct frame *f = t->frame && !t->n_folded[row] ? t->frame[row] : NULL;

    if (!f)
        return;
    lines_field(l, "source", ROLE_TEXT, "%s:%d", profile_text(t->profile, f->file),
                (int)f->lineno);
    lines_link(l, (struct link){.kind = LINK_SOURCE, .frame = f});
}

/* A line of the stack of NODE; behind a label when it is the first one. */
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
    const struct profile *p = a->result->profile;
    const struct trace *t = &p->traces[p->trace[node]];
    for (uint32_t i = t->n_frames; i-- > 0;) {
        const bool first = i + 1 == t->n_frames;
        uint32_t n_hidden = 1;

        if (!frame_is_hidden(&a->hidden_frames, &t->frames[i])) {
            add_frame(l, p, node, &t->frames[i], first);
            continue;
        }
        for (; i > 0 && frame_is_hidden(&a->hidden_frames, &t->frames[i - 1]); i--)
            n_hidden++;
        lines_field(l, first ? "code" : "", ROLE_DIM, "%u library frame%s", n_hidden,
                    n_hidden == 1 ? "" : "s");
        lines_link(l, (struct link){.kind = LINK_ACTION, .action = "library-frames"});
    }
}
