/* pickle.c: interprets the opcodes of pickles. */
#include "load/snapshot/pickle.h"

#include <stdlib.h>
#include <string.h>

#include "base/xalloc.h"

enum { FIRST_BYTE = 0x80, LAST_PROTOCOL = 5 };

/* The operand after an opcode: none, a number of 1 to 8 bytes, or a length and that many bytes. */
enum operand {
    REFUSED,
    NOTHING,
    NUMBER_1,
    NUMBER_2,
    NUMBER_4,
    NUMBER_8,
    BYTES_1, /* the length takes one byte */
    BYTES_4,
    BYTES_8,
};

struct operand_value {
    uint64_t number; /* or the length of `bytes` */
    const uint8_t *bytes;
    enum pickle_kind kind; /* kind of the value that the opcode pushes */
};

struct opcode {
    const char *name;
    enum operand operand;
    enum pickle_kind kind;
    /* Returns false when the data are damaged. */
    bool (*run)(struct pickle *p, const struct operand_value *o);
};

/* ---- the stack */

/* Number of values above the last MARK. */
static size_t n_above_mark(const struct pickle *p)
{
    return p->stack.n - (p->marks.n ? p->marks.data[p->marks.n - 1] : 0);
}

static bool push(struct pickle *p, pickle_value v)
{
    vec_push(&p->stack, v);
    return true;
}

static pickle_value *top(const struct pickle *p)
{
    return &p->stack.data[p->stack.n - 1];
}

static bool run_mark(struct pickle *p, const struct operand_value *o UNUSED)
{
    vec_push(&p->marks, p->stack.n);
    p->mark_at = p->at - 1;
    return true;
}

static bool run_pop_mark(struct pickle *p, const struct operand_value *o UNUSED)
{
    if (!p->marks.n)
        return false;
    p->stack.n = p->marks.data[--p->marks.n];
    return true;
}

static bool run_pop(struct pickle *p, const struct operand_value *o)
{
    if (!n_above_mark(p))
        return run_pop_mark(p, o);
    p->stack.n--;
    return true;
}

static bool run_dup(struct pickle *p, const struct operand_value *o UNUSED)
{
    return n_above_mark(p) && push(p, *top(p));
}

static bool run_nothing(struct pickle *p UNUSED, const struct operand_value *o UNUSED)
{
    return true;
}

static bool run_protocol(struct pickle *p UNUSED, const struct operand_value *o)
{
    return o->number <= LAST_PROTOCOL;
}

static bool run_stop(struct pickle *p, const struct operand_value *o UNUSED)
{
    if (!n_above_mark(p))
        return false;
    p->value = *top(p);
    return true;
}

/* ---- constants */

static bool run_kind(struct pickle *p, const struct operand_value *o)
{
    return push(p, o->kind);
}

static bool run_true(struct pickle *p, const struct operand_value *o UNUSED)
{
    return push(p, PICKLE_TRUE);
}

static bool run_number(struct pickle *p, const struct operand_value *o)
{
    return push(p, pickle_number(p, o->number, false));
}

static bool run_int(struct pickle *p, const struct operand_value *o)
{
    const int32_t number = (int32_t)(uint32_t)o->number;

    return push(p, pickle_number(p, (uint64_t)(int64_t)number, number < 0));
}

static bool run_long(struct pickle *p, const struct operand_value *o)
{
    return push(p, pickle_long(p, o->bytes, (size_t)o->number));
}

static bool run_text(struct pickle *p, const struct operand_value *o)
{
    if (o->number > UINT32_MAX)
        return false;
    return push(p, pickle_make(PICKLE_TEXT, intern_put(&p->texts, o->bytes, (size_t)o->number)));
}

/* ---- containers */

static bool run_empty(struct pickle *p, const struct operand_value *o)
{
    return push(p, pickle_container(p, o->kind));
}

static bool run_append(struct pickle *p, const struct operand_value *o UNUSED)
{
    if (n_above_mark(p) < 2 || pickle_kind(top(p)[-1]) != PICKLE_LIST)
        return false;
    pickle_append(p, top(p)[-1], top(p), 1);
    p->stack.n--;
    return true;
}

static bool run_set_item(struct pickle *p, const struct operand_value *o UNUSED)
{
    if (n_above_mark(p) < 3 || pickle_kind(top(p)[-2]) != PICKLE_DICT)
        return false;
    pickle_set_items(p, top(p)[-2], top(p) - 1, 1);
    p->stack.n -= 2;
    return true;
}

/* Stack index of the first value above the last MARK, if the value below it has KIND; else
 * SIZE_MAX. */
static size_t values_for(const struct pickle *p, enum pickle_kind kind)
{
    const size_t at = p->marks.n ? p->marks.data[p->marks.n - 1] : 0;
    const size_t fence = p->marks.n > 1 ? p->marks.data[p->marks.n - 2] : 0;

    return p->marks.n && at > fence && pickle_kind(p->stack.data[at - 1]) == kind ? at : SIZE_MAX;
}

static bool run_add_values(struct pickle *p, const struct operand_value *o)
{
    const size_t at = values_for(p, o->kind);
    const size_t n = p->stack.n - at;

    if (at == SIZE_MAX || (o->kind == PICKLE_DICT && n % 2))
        return false;
    if (o->kind == PICKLE_LIST) {
        const pickle_value list = p->stack.data[at - 1];
        const uint32_t n_before = pickle_object(p, list)->n;

        pickle_append(p, list, p->stack.data + at, n);
        if (!n_before)
            pickle_remember_list(p, list);
        if (p->grown)
            p->grown(p->context, list, n_before);
    }
    if (o->kind == PICKLE_DICT)
        pickle_set_items(p, p->stack.data[at - 1], p->stack.data + at, n / 2);
    return run_pop_mark(p, o);
}

/* Runs LIST, DICT, TUPLE and FROZENSET: builds one value from all values above the last MARK. */
static bool run_build(struct pickle *p, const struct operand_value *o)
{
    const size_t at = p->marks.n ? p->marks.data[p->marks.n - 1] : 0;
    pickle_value v = o->kind;

    if (!p->marks.n || (o->kind == PICKLE_DICT && (p->stack.n - at) % 2))
        return false;
    if (o->kind == PICKLE_LIST || o->kind == PICKLE_DICT)
        v = pickle_container(p, o->kind);
    if (o->kind == PICKLE_LIST)
        pickle_append(p, v, vec_from(&p->stack, at), p->stack.n - at);
    if (o->kind == PICKLE_DICT)
        pickle_set_items(p, v, vec_from(&p->stack, at), (p->stack.n - at) / 2);
    return run_pop_mark(p, o) && push(p, v);
}

static bool make_tuple(struct pickle *p, size_t n)
{
    if (n_above_mark(p) < n)
        return false;
    p->stack.n -= n;
    return push(p, PICKLE_TUPLE);
}

static bool run_tuple1(struct pickle *p, const struct operand_value *o UNUSED)
{
    return make_tuple(p, 1);
}

static bool run_tuple2(struct pickle *p, const struct operand_value *o UNUSED)
{
    return make_tuple(p, 2);
}

static bool run_tuple3(struct pickle *p, const struct operand_value *o UNUSED)
{
    return make_tuple(p, 3);
}

/* ---- the memo: an array for dense indexes, a map for the others */

static pickle_value memo_at(const struct pickle *p, uint64_t index)
{
    uint32_t far;

    if (index < p->memo.n && p->memo.data[index])
        return p->memo.data[index];
    far = idmap_get(&p->far_memo, (int64_t)index);
    return far == IDMAP_NONE ? PICKLE_ABSENT : p->far_values.data[far];
}

static bool memo_put(struct pickle *p, uint64_t index)
{
    if (!n_above_mark(p))
        return false;
    p->has_lost_values |= memo_at(p, index) == PICKLE_RELEASED;
    p->kept.is_changed |= index < p->kept.n_memo;
    if (memo_at(p, index) == PICKLE_ABSENT)
        p->n_memo++;
    else
        pickle_forget_lists(p);
    if (index >= p->memo.n && index <= 2 * p->n_memo)
        vec_resize_zero(&p->memo, (size_t)index + 1);
    if (index < p->memo.n) {
        p->memo.data[index] = *top(p);
        return true;
    }
    idmap_put(&p->far_memo, (int64_t)index, (uint32_t)p->far_values.n, 0);
    vec_push(&p->far_values, *top(p));
    return true;
}

static bool run_put(struct pickle *p, const struct operand_value *o)
{
    return memo_put(p, o->number);
}

static bool run_memoize(struct pickle *p, const struct operand_value *o UNUSED)
{
    return memo_put(p, p->n_memo);
}

static bool run_get(struct pickle *p, const struct operand_value *o)
{
    const pickle_value v = memo_at(p, o->number);

    p->has_lost_values |= v == PICKLE_RELEASED;
    return v != PICKLE_ABSENT && v != PICKLE_RELEASED && push(p, v);
}

/* ---- table of opcodes */

static const struct opcode opcodes[256] = {
    ['('] = {"MARK", NOTHING, 0, run_mark},
    ['.'] = {"STOP", NOTHING, 0, run_stop},
    ['0'] = {"POP", NOTHING, 0, run_pop},
    ['1'] = {"POP_MARK", NOTHING, 0, run_pop_mark},
    ['2'] = {"DUP", NOTHING, 0, run_dup},
    ['B'] = {"BINBYTES", BYTES_4, PICKLE_BYTES, run_kind},
    ['C'] = {"SHORT_BINBYTES", BYTES_1, PICKLE_BYTES, run_kind},
    ['F'] = {.name = "FLOAT"},
    ['G'] = {"BINFLOAT", NUMBER_8, PICKLE_FLOAT, run_kind},
    ['I'] = {.name = "INT"},
    ['J'] = {"BININT", NUMBER_4, 0, run_int},
    ['K'] = {"BININT1", NUMBER_1, 0, run_number},
    ['L'] = {.name = "LONG"},
    ['M'] = {"BININT2", NUMBER_2, 0, run_number},
    ['N'] = {"NONE", NOTHING, PICKLE_NONE, run_kind},
    ['P'] = {.name = "PERSID"},
    ['Q'] = {.name = "BINPERSID"},
    ['R'] = {.name = "REDUCE"},
    ['S'] = {.name = "STRING"},
    ['T'] = {"BINSTRING", BYTES_4, PICKLE_BYTES, run_kind},
    ['U'] = {"SHORT_BINSTRING", BYTES_1, PICKLE_BYTES, run_kind},
    ['V'] = {.name = "UNICODE"},
    ['X'] = {"BINUNICODE", BYTES_4, 0, run_text},
    [']'] = {"EMPTY_LIST", NOTHING, PICKLE_LIST, run_empty},
    ['a'] = {"APPEND", NOTHING, 0, run_append},
    ['b'] = {.name = "BUILD"},
    ['c'] = {.name = "GLOBAL"},
    ['d'] = {"DICT", NOTHING, PICKLE_DICT, run_build},
    ['e'] = {"APPENDS", NOTHING, PICKLE_LIST, run_add_values},
    ['g'] = {.name = "GET"},
    ['h'] = {"BINGET", NUMBER_1, 0, run_get},
    ['i'] = {.name = "INST"},
    ['j'] = {"LONG_BINGET", NUMBER_4, 0, run_get},
    ['l'] = {"LIST", NOTHING, PICKLE_LIST, run_build},
    ['o'] = {.name = "OBJ"},
    ['p'] = {.name = "PUT"},
    ['q'] = {"BINPUT", NUMBER_1, 0, run_put},
    ['r'] = {"LONG_BINPUT", NUMBER_4, 0, run_put},
    ['s'] = {"SETITEM", NOTHING, 0, run_set_item},
    ['t'] = {"TUPLE", NOTHING, PICKLE_TUPLE, run_build},
    ['u'] = {"SETITEMS", NOTHING, PICKLE_DICT, run_add_values},
    [')'] = {"EMPTY_TUPLE", NOTHING, PICKLE_TUPLE, run_kind},
    ['}'] = {"EMPTY_DICT", NOTHING, PICKLE_DICT, run_empty},
    [0x80] = {"PROTO", NUMBER_1, 0, run_protocol},
    [0x81] = {.name = "NEWOBJ"},
    [0x82] = {.name = "EXT1"},
    [0x83] = {.name = "EXT2"},
    [0x84] = {.name = "EXT4"},
    [0x85] = {"TUPLE1", NOTHING, 0, run_tuple1},
    [0x86] = {"TUPLE2", NOTHING, 0, run_tuple2},
    [0x87] = {"TUPLE3", NOTHING, 0, run_tuple3},
    [0x88] = {"NEWTRUE", NOTHING, 0, run_true},
    [0x89] = {"NEWFALSE", NOTHING, PICKLE_BOOL, run_kind},
    [0x8a] = {"LONG1", BYTES_1, 0, run_long},
    [0x8b] = {"LONG4", BYTES_4, 0, run_long},
    [0x8c] = {"SHORT_BINUNICODE", BYTES_1, 0, run_text},
    [0x8d] = {"BINUNICODE8", BYTES_8, 0, run_text},
    [0x8e] = {"BINBYTES8", BYTES_8, PICKLE_BYTES, run_kind},
    [0x8f] = {"EMPTY_SET", NOTHING, PICKLE_SET, run_kind},
    [0x90] = {"ADDITEMS", NOTHING, PICKLE_SET, run_add_values},
    [0x91] = {"FROZENSET", NOTHING, PICKLE_SET, run_build},
    [0x92] = {.name = "NEWOBJ_EX"},
    [0x93] = {.name = "STACK_GLOBAL"},
    [0x94] = {"MEMOIZE", NOTHING, 0, run_memoize},
    [0x95] = {"FRAME", NUMBER_8, 0, run_nothing},
    [0x96] = {"BYTEARRAY8", BYTES_8, PICKLE_BYTES, run_kind},
    [0x97] = {.name = "NEXT_BUFFER"},
    [0x98] = {.name = "READONLY_BUFFER"},
};

/* ---- reading */

/* Decodes the operand at p->at and advances; false when the data end within it. */
static bool read_operand(struct pickle *p, enum operand operand, struct operand_value *o)
{
    static const uint8_t n_bytes[] = {[NUMBER_1] = 1, [NUMBER_2] = 2, [NUMBER_4] = 4, [NUMBER_8] = 8,
                                      [BYTES_1] = 1,  [BYTES_4] = 4,  [BYTES_8] = 8};
    const uint8_t n = n_bytes[operand];

    if ((size_t)(p->end - p->at) < n)
        return false;
    o->number = 0;
    for (uint8_t i = 0; i < n; i++)
        o->number |= (uint64_t)p->at[i] << 8 * i;
    p->at += n;
    if (operand < BYTES_1)
        return true;
    if (o->number > (uint64_t)(p->end - p->at)) /* a negative length is rejected as too large */
        return false;
    o->bytes = p->at;
    p->at += o->number;
    return true;
}

/* Runs opcodes until STOP or an error.  p->at is then at the failed opcode, or after STOP. */
static enum pickle_end run(struct pickle *p)
{
    enum { PASSED_BYTES = 1 << 18 };
    const uint8_t *passed = p->at;

    while (pickle_run_fast(p), p->at < p->end) {
        const uint8_t *at = p->at;
        const struct opcode *op = &opcodes[*p->at++];
        struct operand_value o = {.kind = op->kind};

        if (op->operand == REFUSED) {
            p->at = at;
            p->opcode = op->name;
            return PICKLE_REFUSED;
        }
        if (op->operand == NOTHING ? !op->run(p, &o)
                                   : !read_operand(p, op->operand, &o) || !op->run(p, &o)) {
            p->at = at;
            return PICKLE_DAMAGED;
        }
        if (*at == '.')
            return PICKLE_STOPPED;
        if (p->at - passed >= PASSED_BYTES) {
            passed = p->at;
            if (cancel_asked(p->cancel))
                return PICKLE_CANCELLED;
            if (p->passed)
                p->passed(p->context, p->at);
        }
    }
    return PICKLE_DAMAGED;
}

enum pickle_end pickle_read(struct pickle *p)
{
    const enum pickle_end end = run(p);

    p->end_offset = (uint64_t)(p->at - p->bytes);
    if (end == PICKLE_DAMAGED) {
        pickle_complete(p);
        p->value = p->stack.n ? p->stack.data[0] : PICKLE_ABSENT;
    }
    EACH(vec_done, &p->stack, &p->marks, &p->memo, &p->far_values);
    EACH(idmap_done, &p->far_memo, &p->short_lists);
    pickle_forget_lists(p);
    EACH(vec_done, &p->repeats, &p->repeat_bytes);
    return end;
}

int pickle_protocol(const uint8_t *bytes, size_t len)
{
    return len > 1 && bytes[0] == FIRST_BYTE ? bytes[1] : -1;
}

void pickle_init(struct pickle *p, const uint8_t *bytes, size_t len, const char *const *keys,
                 uint32_t n_known)
{
    *p = (struct pickle){.bytes = bytes, .at = bytes, .end = bytes + len, .n_known = n_known,
                         .last_repeat = PICKLE_NO_REPEAT};
    EACH(intern_init, &p->texts, &p->key_lists);
    for (uint32_t i = 0; i < n_known; i++)
        intern_put(&p->texts, keys[i], strlen(keys[i]));
    p->known = xcalloc(n_known + (size_t)1, sizeof *p->known);
}

void pickle_done(struct pickle *p)
{
    EACH(vec_done, &p->stack, &p->marks, &p->memo, &p->far_values);
    EACH(idmap_done, &p->far_memo, &p->short_lists, &p->repeat_of_bytes);
    EACH(vec_done, &p->repeats, &p->repeat_bytes);
    EACH(intern_done, &p->texts, &p->key_lists);
    EACH(vec_done, &p->keys, &p->cells, &p->objects, &p->wide, &p->wide_is_negative);
    EACH(free, p->marks_of_object, p->known);
    vec_done(&p->dict_values);
}
