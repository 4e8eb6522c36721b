/* read.c: decodes an HLO module from its message. */
#include <inttypes.h>
#include <stdlib.h>

#include "base/xalloc.h"
#include "hlo/fields.h"
#include "hlo/opcode.h"
#include "hlo/read.h"

/* HloSnapshot and HloProto wrap an HloModuleProto. */
enum { MAX_WRAPPERS = 2 };

bool hlo_ended(const struct hlo_module *m, const struct wire_in *in, struct err *err)
{
    const uintptr_t at = (uintptr_t)in->at, begin = (uintptr_t)m->bytes;

    if (!in->why)
        return true;
    if (at >= begin && at <= begin + m->n_bytes)
        return err_set(err, ERR_INPUT, "offset %zu: %s", (size_t)(at - begin), in->why);
    /* Joined pieces have no offset in the file. */
    return err_set(err, ERR_INPUT, "in a shape: %s", in->why);
}

/* ---- the messages around the module */

/* True when field 1 is an inner message: it begins with a tag, a control character.  A module has
 * its name there. */
static bool is_wrapper(struct wire_in message)
{
    struct wire_field f;

    return wire_next_len(&message, &f, HLO_INNER) && f.len > 0 && f.bytes[0] < ' ';
}

/* Replaces r->modules by the messages they wrap; false with ERR when one is malformed. */
static bool unwrap(struct hlo_reader *r)
{
    const size_t n = r->modules.n;
    struct wire_field f;

    r->buffers.n = 0;
    for (size_t i = 0; i < n; i++) {
        struct wire_in in = hlo_walk(r->m, r->modules.data[i]);

        while (wire_next(&in, &f)) {
            if (f.number == HLO_INNER && f.type == WIRE_LEN)
                vec_push(&r->modules, hlo_range_of(r->m, &f));
            else if (f.number == HLO_BUFFER_ASSIGNMENT && f.type == WIRE_LEN)
                vec_push(&r->buffers, hlo_range_of(r->m, &f));
        }
        if (!hlo_ended(r->m, &in, r->err))
            return false;
    }
    memmove(r->modules.data, r->modules.data + n, (r->modules.n - n) * sizeof *r->modules.data);
    r->modules.n -= n;
    return true;
}

static bool find_modules(struct hlo_reader *r)
{
    vec_push(&r->modules, ((struct hlo_range){0, (uint32_t)r->m->n_bytes}));
    for (unsigned i = 0; i < MAX_WRAPPERS && is_wrapper(hlo_walk(r->m, r->modules.data[0])); i++)
        if (!unwrap(r))
            return false;
    return true;
}

/* ---- instructions */

static void read_string(const struct hlo_module *m, const struct wire_field *f,
                        struct hlo_range *range)
{
    if (f->type == WIRE_LEN)
        *range = hlo_range_of(m, f);
}

/* Decodes the fields that do not depend on other instructions. */
static bool read_instruction(struct hlo_reader *r, const struct wire_field *message)
{
    struct hlo_module *m = r->m;
    struct hlo_instruction in = {.message = hlo_range_of(m, message),
                                 .computation = m->n_computations};
    struct wire_in walk = wire_in_field(message);
    struct hlo_range opcode = {0, 0};
    struct wire_pieces shape = {0};
    struct wire_field f;

    while (wire_next(&walk, &f)) {
        if (f.number == INSTRUCTION_NAME)
            read_string(m, &f, &in.name);
        else if (f.number == INSTRUCTION_OPCODE)
            read_string(m, &f, &opcode);
        else if (f.number == INSTRUCTION_SHAPE && f.type == WIRE_LEN)
            wire_pieces_add(&shape, f.bytes, f.len, &r->pieces);
        else if (f.number == INSTRUCTION_ID && f.type == WIRE_VARINT)
            in.id = (int64_t)f.value;
    }
    if (!hlo_ended(m, &walk, r->err))
        return false;
    if (opcode.len == 0)
        return err_set(r->err, ERR_INPUT, "offset %" PRIu32 ": an instruction without an opcode",
                       in.message.at);
    in.opcode = (uint8_t)hlo_opcode_find(m->bytes + opcode.at, opcode.len);
    if (!hlo_read_shape(r, &shape, &in))
        return false;
    vec_push(&r->instructions, in);
    m->n_instructions++;
    return true;
}

/* ---- computations */

static bool read_computation(struct hlo_reader *r, const struct wire_field *message)
{
    struct hlo_module *m = r->m;
    struct hlo_computation c = {.first_instruction = m->n_instructions, .root = HLO_NONE};
    struct wire_in walk = wire_in_field(message);
    struct wire_field f;

    while (wire_next(&walk, &f)) {
        if (f.number == COMPUTATION_INSTRUCTIONS && f.type == WIRE_LEN) {
            if (!read_instruction(r, &f))
                return false;
        } else if (f.number == COMPUTATION_NAME) {
            read_string(m, &f, &c.name);
        } else if (f.number == COMPUTATION_ID && f.type == WIRE_VARINT) {
            c.id = (int64_t)f.value;
        } else if (f.number == COMPUTATION_ROOT && f.type == WIRE_VARINT) {
            c.root_id = (int64_t)f.value;
        }
    }
    c.n_instructions = m->n_instructions - c.first_instruction;
    vec_push(&r->computations, c);
    m->n_computations++;
    return hlo_ended(m, &walk, r->err);
}

static bool read_module_field(struct hlo_reader *r, const struct wire_field *f)
{
    if (f->number == MODULE_COMPUTATIONS && f->type == WIRE_LEN)
        return read_computation(r, f);
    if (f->number == MODULE_STACK_FRAMES && f->type == WIRE_LEN)
        return hlo_read_frames(r, f);
    if (f->number == MODULE_NAME)
        read_string(r->m, f, &r->m->name);
    else if (f->number == MODULE_ENTRY_NAME)
        read_string(r->m, f, &r->entry_name);
    else if (f->number == MODULE_ID && f->type == WIRE_VARINT)
        r->m->id = (int64_t)f->value;
    else if (f->number == MODULE_ENTRY_ID && f->type == WIRE_VARINT) {
        r->entry_id = (int64_t)f->value;
        r->has_entry_id = true;
    }
    return true;
}

static bool read_module(struct hlo_reader *r)
{
    struct hlo_module *m = r->m;
    struct wire_field f;

    for (size_t i = 0; i < r->modules.n; i++) {
        struct wire_in walk = hlo_walk(m, r->modules.data[i]);

        while (wire_next(&walk, &f))
            if (!read_module_field(r, &f))
                return false;
        if (!hlo_ended(m, &walk, r->err))
            return false;
    }
    return true;
}

/* ---- whole modules */

/* Moves instructions and computations into the module, because resolving ids needs them there. */
static void store_instructions(struct hlo_reader *r)
{
    vec_fit(&r->instructions);
    vec_fit(&r->computations);
    r->m->instructions = r->instructions.data;
    r->m->computations = r->computations.data;
}

static bool link_all(struct hlo_reader *r)
{
    store_instructions(r);
    return hlo_link(r);
}

/* Moves the other columns into the module, also after an error. */
static void finish(struct hlo_reader *r)
{
    struct hlo_module *m = r->m;

    store_instructions(r);
    vec_fit(&r->leaves);
    vec_fit(&r->dims);
    vec_fit(&r->operands);
    vec_fit(&r->called);
    vec_fit(&r->frames);
    m->leaves = r->leaves.data;
    m->dims = r->dims.data;
    m->operands = r->operands.data;
    m->called = r->called.data;
    m->frames = r->frames.data;
    m->n_frames = (uint32_t)r->frames.n;
    m->buffers = r->buffers.data;
    m->n_buffers = r->buffers.n;
    EACH(vec_done, &r->modules, &r->shapes, &r->files, &r->functions, &r->locations);
    arena_done(&r->pieces);
}

struct hlo_module *hlo_module_new(const void *bytes, size_t len, struct err *err)
{
    struct hlo_module *m = xcalloc(1, sizeof *m);
    struct hlo_reader r = {.m = m, .err = err};
    bool ok;

    m->bytes = bytes;
    m->n_bytes = len;
    vec_push(&r.frames, (struct hlo_frame){0});
    if (len > UINT32_MAX)
        ok = err_set(err, ERR_INPUT, "an HLO module of more than 4 GiB");
    else
        ok = find_modules(&r) && read_module(&r) && link_all(&r);
    finish(&r);
    if (ok)
        return m;
    hlo_module_free(m);
    return NULL;
}

void hlo_module_free(struct hlo_module *m)
{
    if (!m)
        return;
    EACH(free, m->instructions, m->computations, m->leaves, m->dims, m->operands, m->called,
         m->parameters, m->frames, m->by_rank, m->buffers);
    EACH(slots_done, &m->instruction_ids, &m->instruction_names, &m->computation_ids);
    free(m);
}
