/* code_def.c: writes call stacks as CodeDef messages with a string table. */
#include "export/code_def.h"

#include <stdlib.h>
#include <string.h>

#include "base/vec.h"
#include "base/wire_out.h"
#include "base/xalloc.h"

enum {
    CODE_DEF_TRACES = 1, TRACE_FILE = 1, TRACE_LINENO = 2, TRACE_FUNCTION = 3, TRACE_LINE = 4,
    TRACE_FUNC_START_LINE = 5, TRACE_FILE_ID = 6, TRACE_FUNCTION_ID = 7, TRACE_LINE_ID = 8,
};

void code_strings_init(struct code_strings *s, const struct profile *p)
{
    memset(s, 0, sizeof *s);
    s->profile = p;
    s->id_of = xcalloc(p->strings.n, sizeof *s->id_of);
    s->n = 1; /* id 0 is "none" */
}

void code_strings_done(struct code_strings *s)
{
    EACH(free, s->id_of, s->string_of);
}

static int64_t string_id(struct code_strings *s, strid text)
{
    if (text == STRID_EMPTY)
        return 0;
    if (!s->id_of[text]) {
        if (s->n >= s->capacity)
            s->string_of = vec_grow(s->string_of, &s->capacity, s->n + 1, sizeof *s->string_of);
        s->string_of[s->n] = text;
        s->id_of[text] = (int64_t)++s->n;
    }
    return s->id_of[text] - 1;
}

static void add_text(struct strbuf *sb, uint32_t field, const struct profile *p, strid text)
{
    if (text != STRID_EMPTY)
        wire_string(sb, field, profile_text(p, text), intern_len(&p->strings, text));
}

/* Appends a frame; its texts are ids of STRINGS, or inline when STRINGS is NULL. */
static void add_frame(struct strbuf *sb, const struct profile *p, const struct frame *f,
                      struct code_strings *strings)
{
    size_t mark = wire_begin(sb, CODE_DEF_TRACES);

    wire_int(sb, TRACE_LINENO, f->lineno);
    wire_int(sb, TRACE_FUNC_START_LINE, f->func_start_line);
    if (strings) {
        wire_int(sb, TRACE_FILE_ID, string_id(strings, f->file));
        wire_int(sb, TRACE_FUNCTION_ID, string_id(strings, f->function));
        wire_int(sb, TRACE_LINE_ID, string_id(strings, f->text));
    } else {
        add_text(sb, TRACE_FILE, p, f->file);
        add_text(sb, TRACE_FUNCTION, p, f->function);
        add_text(sb, TRACE_LINE, p, f->text);
    }
    wire_end(sb, mark);
}

void code_def_write(struct strbuf *sb, uint32_t field, const struct profile *p,
                    struct code_strings *strings, const struct call_stack *stack)
{
    frame_list frames = {0};
    size_t mark;

    if (stack == profile_stack(p, STACK_NONE))
        return;
    mark = wire_begin(sb, field);
    stack_frames(&p->call_stacks, stack, &frames);
    for (uint32_t i = 0; i < frames.n; i++)
        add_frame(sb, p, frames.data[i], strings);
    vec_done(&frames);
    wire_end(sb, mark);
}

void code_string_write(struct strbuf *sb, uint32_t field, const struct code_strings *s, size_t id)
{
    size_t mark = wire_begin(sb, field);

    wire_int(sb, 1, (int64_t)id);
    if (id == 0)
        wire_string(sb, 2, "none", strlen("none"));
    else
        wire_string(sb, 2, profile_text(s->profile, s->string_of[id]),
                    intern_len(&s->profile->strings, s->string_of[id]));
    wire_end(sb, mark);
}
