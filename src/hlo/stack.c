/* stack.c: call stacks of instructions. */
#include "hlo/names.h"

#include <stdlib.h>

#include "hlo/fields.h"
#include "hlo/read.h"

/* ---- reading */

static struct hlo_location location_of(const struct wire_field *message)
{
    struct hlo_location location = {0};

    wire_each(f, wire_in_field(message)) {
        if (f.type != WIRE_VARINT)
            continue;
        if (f.number == LOCATION_FILE)
            location.file = (uint32_t)f.value;
        else if (f.number == LOCATION_FUNCTION)
            location.function = (uint32_t)f.value;
        else if (f.number == LOCATION_LINE)
            location.line = (int32_t)f.value;
        else if (f.number == LOCATION_COLUMN)
            location.column = (int32_t)f.value;
    }
    return location;
}

/* Decodes a frame; its line field temporarily holds the id of its location. */
static struct hlo_frame frame_of(const struct wire_field *message)
{
    struct hlo_frame frame = {.file = {"", 0}, .function = {"", 0}};

    wire_each(f, wire_in_field(message)) {
        if (f.number == FRAME_LOCATION && f.type == WIRE_VARINT)
            frame.line = (int32_t)f.value;
        else if (f.number == FRAME_PARENT && f.type == WIRE_VARINT)
            frame.parent = (uint32_t)f.value;
    }
    return frame;
}

bool hlo_read_frames(struct hlo_reader *r, const struct wire_field *index)
{
    struct wire_in in = wire_in_field(index);
    struct wire_field f;

    while (wire_next(&in, &f)) {
        const struct text text = {(const char *)f.bytes, (uint32_t)f.len};

        if (f.type != WIRE_LEN)
            continue;
        if (f.number == FRAMES_FILES)
            vec_push(&r->files, text);
        else if (f.number == FRAMES_FUNCTIONS)
            vec_push(&r->functions, text);
        else if (f.number == FRAMES_LOCATIONS)
            vec_push(&r->locations, location_of(&f));
        else if (f.number == FRAMES_FRAMES)
            vec_push(&r->frames, frame_of(&f));
    }
    return hlo_ended(r->m, &in, r->err);
}

/* ---- ids */

/* The string with ID, from 1 on; "" when there is none. */
static struct text string_of(const struct text *strings, size_t n, uint32_t id)
{
    return id - 1 < n ? strings[id - 1] : (struct text){"", 0};
}

static void look_up_location(const struct hlo_reader *r, struct hlo_frame *frame)
{
    const uint32_t id = (uint32_t)frame->line;
    const struct hlo_location none = {0};
    const struct hlo_location *at = id - 1 < r->locations.n ? &r->locations.data[id - 1] : &none;

    frame->file = string_of(r->files.data, r->files.n, at->file);
    frame->function = string_of(r->functions.data, r->functions.n, at->function);
    frame->line = at->line > 0 ? at->line : 0;
    frame->column = at->column > 0 ? at->column : 0;
}

/* Computes the depth of each frame by following parents to a frame of known depth; depth 0 is
 * unknown.  A parent that closes a cycle is removed. */
static void measure_depths(struct hlo_frame *frames, size_t n)
{
    VEC(uint32_t) way = {0};
    uint8_t *on_way = xcalloc(n, 1);

    for (uint32_t first = 1; first < n; first++) {
        for (uint32_t at = first; at && frames[at].depth == 0; at = frames[at].parent) {
            if (frames[at].parent >= n)
                frames[at].parent = 0;
            on_way[at] = 1;
            vec_push(&way, at);
            if (on_way[frames[at].parent])
                frames[at].parent = 0;
        }
        while (way.n) {
            struct hlo_frame *frame = &frames[way.data[--way.n]];

            on_way[way.data[way.n]] = 0;
            frame->depth = frames[frame->parent].depth + 1;
        }
    }
    vec_done(&way);
    free(on_way);
}

void hlo_link_frames(struct hlo_reader *r)
{
    for (size_t i = 1; i < r->frames.n; i++)
        look_up_location(r, &r->frames.data[i]);
    measure_depths(r->frames.data, r->frames.n);
    r->m->n_frames = (uint32_t)r->frames.n;
}

/* ---- queries */

uint32_t hlo_stack_depth(const struct hlo_module *m, const struct hlo_metadata *metadata)
{
    return metadata->stack_frame ? m->frames[metadata->stack_frame].depth
                                 : metadata->source_file.len > 0;
}

void hlo_stack(const struct hlo_module *m, const struct hlo_metadata *metadata,
               struct hlo_source_location *places)
{
    uint32_t at = metadata->stack_frame;

    if (!at && metadata->source_file.len)
        places[0] =
            (struct hlo_source_location){metadata->source_file, {"", 0}, metadata->source_line, 0};
    for (; at; at = m->frames[at].parent) {
        const struct hlo_frame *frame = &m->frames[at];

        places[frame->depth - 1] =
            (struct hlo_source_location){frame->file, frame->function, frame->line, frame->column};
    }
}
