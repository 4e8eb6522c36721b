/* hidden_frames.c: evaluates -hide_frames: the frames of a call stack that are hidden. */
#include "view/build/hidden_frames.h"

#include <stdlib.h>
#include <string.h>

#include "base/regex/regexes.h"
#include "base/text.h"
#include "base/xalloc.h"

/* Directories of installed packages, below any root; traces omit the path before the package.
 * "<frozen importlib>" and "<string>" are not files. */
#define LIBRARY_REGEXES                                                                          \
    "(.*/)?(site|dist)-packages/.*,(.*/)?lib(64)?/python[0-9.]*/.*,(.*/)?tensorflow/python/.*,"  \
    "torch/.*,<.*"

enum known { NOT_ASKED, OWN, HIDDEN };

/* Expands the keyword for library frames. */
static void add_item(const char *item, size_t len, size_t offset UNUSED, void *arg)
{
    struct strbuf *list = arg;

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

    if (!h->regexes || frame->lineno == LINE_NONE)
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

        if (frame->lineno == LINE_NONE)
            continue;
        if (!frame_is_hidden(h, frame))
            return frame;
        innermost = innermost ? innermost : frame;
    }
    return innermost;
}

/* ---- names of rows of the code view */

enum { LONGEST_TEXT = 20, CUT_TEXT = 17 };

/* Appends TEXT; a long text is cut at a character boundary. */
static void add_cut(struct strbuf *sb, struct text text)
{
    uint32_t cut = CUT_TEXT;

    if (text.len < LONGEST_TEXT) {
        sb_add(sb, text.bytes, text.len);
        return;
    }
    while (cut > CUT_TEXT - 3 && ((unsigned char)text.bytes[cut] & 0xc0) == 0x80)
        cut--;
    sb_add(sb, text.bytes, cut);
    sb_adds(sb, "...");
}

/* Appends "FILE:LINE:"; false: FRAME has no file. */
static bool add_location(struct strbuf *sb, const struct profile *p, const struct frame *frame)
{
    const struct text file = intern_string(&p->strings, frame->file);
    const char *slash = memrchr(file.bytes, '/', file.len);
    const size_t skip = slash ? (size_t)(slash + 1 - file.bytes) : 0;

    if (frame->lineno == LINE_NONE)
        return false;
    sb_add(sb, file.bytes + skip, file.len - skip);
    sb_addf(sb, ":%d:", (int)frame->lineno);
    return true;
}

void frame_full_name(struct strbuf *sb, const struct profile *p, const struct frame *frame)
{
    add_location(sb, p, frame);
    sb_add(sb, intern_text(&p->strings, frame->function), intern_len(&p->strings, frame->function));
}

void frame_name(struct strbuf *sb, const struct profile *p, const struct frame *frame,
                bool with_text)
{
    if (!add_location(sb, p, frame)) {
        sb_add(sb, intern_text(&p->strings, frame->function),
               intern_len(&p->strings, frame->function));
        return;
    }
    add_cut(sb, intern_string(&p->strings, frame->function));
    if (with_text) {
        sb_addc(sb, ':');
        add_cut(sb, intern_string(&p->strings, frame->text));
    }
}

void frame_name_with_path(struct strbuf *sb, const struct profile *p, const struct frame *frame)
{
    const struct text file = intern_string(&p->strings, frame->file);
    const struct text function = intern_string(&p->strings, frame->function);

    if (frame->lineno != LINE_NONE) {
        sb_add(sb, file.bytes, file.len);
        sb_addf(sb, ":%d:", (int)frame->lineno);
    }
    sb_add(sb, function.bytes, function.len);
}
