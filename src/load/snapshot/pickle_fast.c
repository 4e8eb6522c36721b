/* pickle_fast.c: fast path for the most frequent opcodes of snapshots. */
#include <endian.h>
#include <string.h>

#include "base/hash.h"
#include "load/snapshot/pickle.h"

enum {
    BATCH = 256,        /* values pushed between two checks of the stack's capacity */
    OPERAND_BYTES = 16, /* more than the operand of any opcode handled here */
    LONG_BYTES = 7,     /* longest LONG1 whose value needs no table */
    REPEAT_BYTES = 8192, REPEATS_BYTES = 16 << 20, /* limits for one list, and for all lists */
};

static uint64_t number_at(const uint8_t *at)
{
    uint64_t number;

    memcpy(&number, at, sizeof number);
    return le64toh(number);
}

/* A signed little-endian number of LEN bytes, as a value. */
static pickle_value long_at(const uint8_t *at, unsigned len)
{
    const unsigned unused = 64 - 8 * len;

    return pickle_make(PICKLE_INTEGER, (uint64_t)((int64_t)(number_at(at) << unused) >> unused));
}

/* ---- lists of memo values, which repeat in the same order in each step */

void pickle_forget_lists(struct pickle *p)
{
    p->repeats.n = p->repeat_bytes.n = 0;
    idmap_done(&p->repeat_of_bytes);
    p->last_repeat = PICKLE_NO_REPEAT;
}

/* True when BYTES, from a MARK to before APPENDS, are only opcodes that get memo values. */
static bool only_gets(const uint8_t *bytes, size_t len)
{
    size_t at = 1;

    while (at + 1 < len && (bytes[at] == 'h' || bytes[at] == 'j'))
        at += bytes[at] == 'h' ? 2 : 5;
    return at + 1 == len;
}

/* The index of the repeat with these opcodes, added if new; O is the list that they built. */
static uint32_t repeat_of(struct pickle *p, const struct pickle_object *o, const uint8_t *bytes, size_t len)
{
    const int64_t hash = (int64_t)hash_bytes(bytes, len);
    const uint32_t at = idmap_get(&p->repeat_of_bytes, hash);
    const struct pickle_repeat added = {p->repeat_bytes.n, (uint32_t)len, o->first, o->n, PICKLE_NO_REPEAT};

    if (at != IDMAP_NONE)
        return p->repeats.data[at].len == len &&
                       memcmp(p->repeat_bytes.data + p->repeats.data[at].first, bytes, len) == 0
                   ? at : PICKLE_NO_REPEAT;
    if (p->repeat_bytes.n + len > REPEATS_BYTES)
        return PICKLE_NO_REPEAT;
    vec_reserve(&p->repeat_bytes, p->repeat_bytes.n + len);
    memcpy(p->repeat_bytes.data + p->repeat_bytes.n, bytes, len);
    p->repeat_bytes.n += len;
    idmap_put(&p->repeat_of_bytes, hash, (uint32_t)p->repeats.n, 0);
    vec_push(&p->repeats, added);
    return (uint32_t)p->repeats.n - 1;
}

void pickle_remember_list(struct pickle *p, pickle_value list)
{
    const size_t len = p->mark_at ? (size_t)(p->at - p->mark_at) : 0;
    uint32_t at = PICKLE_NO_REPEAT;

    if (len && len <= REPEAT_BYTES && only_gets(p->mark_at, len))
        at = repeat_of(p, pickle_object(p, list), p->mark_at, len);
    if (at != PICKLE_NO_REPEAT && p->last_repeat != PICKLE_NO_REPEAT)
        p->repeats.data[p->last_repeat].next = at;
    p->last_repeat = at;
}

/* If the opcodes at AT repeat the list that followed the previous one last time, gives LIST its
 * elements and returns the length of the opcodes up to APPENDS; else 0. */
static size_t take_repeat(struct pickle *p, pickle_value list, const uint8_t *at)
{
    const uint32_t next =
        p->last_repeat == PICKLE_NO_REPEAT ? PICKLE_NO_REPEAT : p->repeats.data[p->last_repeat].next;
    const struct pickle_repeat *r = next == PICKLE_NO_REPEAT ? NULL : &p->repeats.data[next];
    struct pickle_object *o;

    if (!r || pickle_kind(list) != PICKLE_LIST || (size_t)(p->end - at) < r->len ||
        memcmp(at, p->repeat_bytes.data + r->first, r->len) != 0)
        return 0;
    o = pickle_object(p, list);
    if (o->n)
        return 0;
    pickle_changes(p, list);
    o->first = r->cells;
    o->n = r->n; /* capacity 0: appending moves the cells */
    p->last_repeat = next;
    return r->len;
}

/* ---- opcodes */

/* State of the fast path, kept in registers. */
struct fast {
    const uint8_t *at;
    pickle_value *top, *fence; /* stack end; first value above the last MARK */
    const pickle_value *memo;
    size_t n_memo;
};

static inline bool push(struct fast *f, pickle_value v, size_t len)
{
    *f->top++ = v;
    f->at += len;
    return true;
}

static inline bool run_get(struct fast *f, uint32_t index, size_t len)
{
    return index < f->n_memo && f->memo[index] && f->memo[index] != PICKLE_RELEASED &&
           push(f, f->memo[index], len);
}

static inline bool run_memoize(struct pickle *p, struct fast *f)
{
    if (f->top == f->fence || p->n_memo != p->memo.n || p->far_memo.n)
        return false;
    vec_push(&p->memo, f->top[-1]);
    p->n_memo = f->n_memo = p->memo.n;
    f->memo = p->memo.data;
    f->at++;
    return true;
}

static inline bool run_mark(struct pickle *p, struct fast *f)
{
    const size_t len = f->top > f->fence ? take_repeat(p, f->top[-1], f->at) : 0;

    f->at += len;
    if (len)
        return true;
    vec_push(&p->marks, (size_t)(f->top - p->stack.data));
    p->mark_at = f->at++;
    f->fence = f->top;
    return true;
}

/* Runs one opcode; false when it has no fast path or fails. */
static inline bool run_one(struct pickle *p, struct fast *f)
{
    const uint64_t operand = number_at(f->at + 1);

    switch (*f->at) {
    case 'j':
        return run_get(f, (uint32_t)operand, 5);
    case 'K':
        return push(f, pickle_make(PICKLE_INTEGER, (uint8_t)operand), 2);
    case 'M':
        return push(f, pickle_make(PICKLE_INTEGER, (uint16_t)operand), 3);
    case 'J':
        return push(f, pickle_make(PICKLE_INTEGER, (uint64_t)(int64_t)(int32_t)(uint32_t)operand), 5);
    case 0x8a: /* LONG1 */
        return (uint8_t)operand - 1u < LONG_BYTES &&
               push(f, long_at(f->at + 2, (uint8_t)operand), 2 + (size_t)(uint8_t)operand);
    case 0x94:
        return run_memoize(p, f);
    case '}':
        return push(f, pickle_container(p, PICKLE_DICT), 1);
    case ']':
        return push(f, pickle_container(p, PICKLE_LIST), 1);
    case '(':
        return run_mark(p, f);
    default:
        return false;
    }
}

void pickle_run_fast(struct pickle *p)
{
    const uint8_t *last = p->end - OPERAND_BYTES;
    pickle_value *full;
    struct fast f = {.at = p->at};

    if ((size_t)(p->end - p->at) < OPERAND_BYTES)
        return;
    vec_reserve(&p->stack, p->stack.n + BATCH);
    f.top = p->stack.data + p->stack.n;
    f.fence = p->stack.data + (p->marks.n ? p->marks.data[p->marks.n - 1] : 0);
    f.memo = p->memo.data;
    f.n_memo = p->memo.n;
    full = f.top + BATCH;
    while (f.at < last && f.top < full && (*f.at == 'h' ? run_get(&f, f.at[1], 2) : run_one(p, &f)))
        ;
    p->stack.n = (size_t)(f.top - p->stack.data);
    p->at = f.at;
}
