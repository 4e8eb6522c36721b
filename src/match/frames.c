/* frames.c: the call stacks of a profile as a tree of frames. */
#include "match/frames.h"

#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "base/xalloc.h"

static uint64_t text_hash(const struct profile *p, strid id)
{
    return hash_bytes(profile_text(p, id), intern_len(&p->strings, id));
}

static uint64_t key_of(frame_id parent, const struct frame *frame)
{
    return hash_pair(hash_pair(parent, frame->file),
                     hash_pair(frame->function, (uint64_t)(uint32_t)frame->lineno));
}

frame_id frames_find(const struct frames *f, frame_id parent, const struct frame *frame)
{
    size_t probe = slots_find(&f->index, key_of(parent, frame));
    frame_id at;

    while ((at = slots_next(&f->index, &probe)) != SLOTS_NONE) {
        const struct frame_row *row = &f->rows.data[at];

        if (row->parent == parent && row->frame->file == frame->file &&
            row->frame->function == frame->function && row->frame->lineno == frame->lineno)
            return at;
    }
    return FRAME_NONE;
}

static void index_rows(struct frames *f)
{
    slots_done(&f->index);
    slots_init(&f->index, 2 * f->rows.n + 64);
    for (frame_id i = 1; i < f->rows.n; i++)
        slots_add(&f->index, key_of(f->rows.data[i].parent, f->rows.data[i].frame), i);
}

/* Hashes the name without " at 0x...", because native functions have no other location. */
static uint64_t function_hash(const struct profile *p, const struct frame *frame)
{
    static const char address[] = " at 0x";
    const char *name = profile_text(p, frame->function);
    const uint32_t len = intern_len(&p->strings, frame->function);
    const char *at = memmem(name, len, address, sizeof address - 1);

    return hash_bytes(name, at ? (size_t)(at - name) : len);
}

static frame_id add_frame(struct frames *f, frame_id parent, const struct frame *frame)
{
    frame_id at = frames_find(f, parent, frame);

    if (at != FRAME_NONE)
        return at;
    at = (frame_id)f->rows.n;
    vec_push(&f->rows, ((struct frame_row){.parent = parent,
                                           .depth = f->rows.data[parent].depth + 1, .frame = frame,
                                           .file = text_hash(f->p, frame->file),
                                           .function = function_hash(f->p, frame),
                                           .text = text_hash(f->p, frame->text),
                                           .partner = FRAME_NONE}));
    if (2 * (f->rows.n + 1) > f->index.n_slots)
        index_rows(f);
    else
        slots_add(&f->index, key_of(parent, frame), at);
    return at;
}

void frames_init(struct frames *f, const struct profile *p)
{
    const struct call_stacks *s = &p->call_stacks;

    *f = (struct frames){.p = p};
    slots_init(&f->index, 64);
    f->row_of = xcalloc((size_t)s->n_nodes + 1, sizeof *f->row_of);
    vec_push(&f->rows, ((struct frame_row){.parent = FRAME_NONE, .partner = FRAME_ROOT}));
    for (uint32_t node = STACK_ROOT + 1; node < s->n_nodes; node++)
        f->row_of[node] = add_frame(f, f->row_of[s->nodes[node].caller], stack_frame(s, node));
}

void frames_done(struct frames *f)
{
    vec_done(&f->rows);
    slots_done(&f->index);
    free(f->row_of);
    memset(f, 0, sizeof *f);
}
