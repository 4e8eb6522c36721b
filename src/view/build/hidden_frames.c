/* hidden_frames.c: evaluates -hide_frames: the frames of a call stack that are hidden. */
#include "view/build/hidden_frames.h"

#include <stdlib.h>
#include <string.h>

#include "base/regex/regexes.h"
#include "base/xalloc.h"

/* Directories that packages are installed in, below any root. Traces cut paths off before the
 * package. "<frozen importlib>" and "<string>" are not files. */
#define LIBRARY_REGEXES                                                                          \
    "(.*/)?(site|dist)-packages/.*,(.*/)?lib(64)?/python[0-9.]*/.*,(.*/)?tensorflow/python/.*,"  \
    "torch/.*,<.*"

enum known { NOT_ASKED, OWN, HIDDEN };

/* Expands the keyword for library frames. */
static void add_item(const char *item, size_t len, size_t offset, void *arg)
{
    struct strbuf *list = arg;

    (void)offset;
    if (strcmp(item, LIBRARY_FRAMES) != 0)
        regexes_append(list, item, len);
    else
        sb_addf(list, "%s%s", list->len ? "," : "", LIBRARY_REGEXES);
}

void hidden_frames_init(struct hidden_frames *h, const struct profile *p, const char *list)
{
    struct strbuf regexes = {0};
    struct err checked = {0};

    *h = (struct hidden_frames){.profile = p};
    regexes_split(list, add_item, &regexes);
    if (regexes.len)
        h->regexes = regexes_new(sb_text(&regexes), &checked);
    if (h->regexes)
        h->known = xcalloc(p->strings.n, sizeof *h->known);
    err_done(&checked);
    sb_done(&regexes);
}

void hidden_frames_done(struct hidden_frames *h)
{
    regexes_free(h->regexes);
    free(h->known);
    *h = (struct hidden_frames){.profile = NULL};
}

bool frame_is_hidden(struct hidden_frames *h, const struct frame *frame)
{
    const strid file = frame->file;

    if (!h->regexes || frame->lineno == LINE_NO_PLACE)
        return false;
    if (h->known[file] == NOT_ASKED)
        h->known[file] = regexes_match(h->regexes, profile_text(h->profile, file),
                                       intern_len(&h->profile->strings, file)) >= 0
                             ? HIDDEN
                             : OWN;
    return h->known[file] == HIDDEN;
}

const struct frame *innermost_own_frame(struct hidden_frames *h, const struct call_stack *t)
{
    const struct call_stacks *stacks = &h->profile->call_stacks;
    const struct frame *innermost = NULL;

    for (uint32_t at = t->leaf; at != STACK_ROOT; at = stacks->nodes[at].caller) {
        const struct frame *frame = stack_frame(stacks, at);

        if (frame->lineno == LINE_NO_PLACE)
            continue;
        if (!frame_is_hidden(h, frame))
            return frame;
        innermost = innermost ? innermost : frame;
    }
    return innermost;
}
