/* frame_name.c: names of rows of the code view (semantics.md section 4.4). */
#include "view/build/frame_name.h"

#include <string.h>

#include "base/text.h"

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
static bool add_place(struct strbuf *sb, const struct profile *p, const struct frame *frame)
{
    const struct text file = intern_string(&p->strings, frame->file);
    const char *slash = memrchr(file.bytes, '/', file.len);
    const size_t skip = slash ? (size_t)(slash + 1 - file.bytes) : 0;

    if (frame->lineno == LINE_NO_PLACE)
        return false;
    sb_add(sb, file.bytes + skip, file.len - skip);
    sb_addf(sb, ":%d:", (int)frame->lineno);
    return true;
}

void frame_full_name(struct strbuf *sb, const struct profile *p, const struct frame *frame)
{
    add_place(sb, p, frame);
    sb_add(sb, intern_text(&p->strings, frame->function), intern_len(&p->strings, frame->function));
}

void frame_name(struct strbuf *sb, const struct profile *p, const struct frame *frame,
                bool with_text)
{
    if (!add_place(sb, p, frame)) {
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

void frame_whole_name(struct strbuf *sb, const struct profile *p, const struct frame *frame)
{
    const struct text file = intern_string(&p->strings, frame->file);
    const struct text function = intern_string(&p->strings, frame->function);

    if (frame->lineno != LINE_NO_PLACE) {
        sb_add(sb, file.bytes, file.len);
        sb_addf(sb, ":%d:", (int)frame->lineno);
    }
    sb_add(sb, function.bytes, function.len);
}
