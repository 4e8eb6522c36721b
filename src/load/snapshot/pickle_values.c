/* pickle_values.c: values of pickles: numbers, lists and dicts. */
#include "load/snapshot/pickle.h"

#include <string.h>

#include "base/hash.h"
#include "base/xalloc.h"

enum { SMALL_BITS = 59, SHORT_LIST = 256, VARINT_BYTES = 10 };

const char *pickle_kind_name(enum pickle_kind kind)
{
    static const char *const names[] = {
        [PICKLE_ABSENT] = "nothing", [PICKLE_NONE] = "None",   [PICKLE_BOOL] = "bool",
        [PICKLE_INTEGER] = "int",    [PICKLE_WIDE] = "int",    [PICKLE_HUGE] = "int",
        [PICKLE_FLOAT] = "float",    [PICKLE_BYTES] = "bytes", [PICKLE_TUPLE] = "tuple",
        [PICKLE_SET] = "set",        [PICKLE_TEXT] = "text",   [PICKLE_LIST] = "list",
        [PICKLE_DICT] = "dict",
    };

    return names[kind];
}

/* ---- numbers */

pickle_value pickle_number(struct pickle *p, uint64_t bits, bool negative)
{
    const int64_t small = (int64_t)bits;

    if ((negative || small >= 0) && small >= -(INT64_C(1) << SMALL_BITS) &&
        small < INT64_C(1) << SMALL_BITS)
        return pickle_make(PICKLE_INTEGER, bits);
    vec_push(&p->wide, bits);
    vec_push(&p->wide_is_negative, negative);
    return pickle_make(PICKLE_WIDE, p->wide.n - 1);
}

pickle_value pickle_long(struct pickle *p, const uint8_t *bytes, size_t len)
{
    const bool negative = len && bytes[len - 1] & 0x80;
    const uint8_t fill = negative ? 0xff : 0;
    uint64_t bits = negative ? UINT64_MAX : 0;

    while (len && bytes[len - 1] == fill)
        len--;
    if (len > sizeof bits)
        return PICKLE_HUGE;
    for (size_t i = 0; i < len; i++)
        bits = (bits & ~(UINT64_C(0xff) << 8 * i)) | (uint64_t)bytes[i] << 8 * i;
    if (negative && !(bits >> 63))
        return PICKLE_HUGE;
    return pickle_number(p, bits, negative);
}

/* False when V is no integer from -2^63 to 2^64 - 1; *NEGATIVE: *BITS is that of an int64_t. */
static bool pickle_integer(const struct pickle *p, pickle_value v, uint64_t *bits, bool *negative)
{
    if (pickle_kind(v) == PICKLE_INTEGER) {
        const int64_t value = (int64_t)v >> 4;

        *bits = (uint64_t)value;
        *negative = value < 0;
        return true;
    }
    if (pickle_kind(v) != PICKLE_WIDE)
        return false;
    *bits = p->wide.data[pickle_index(v)];
    *negative = p->wide_is_negative.data[pickle_index(v)];
    return true;
}

bool pickle_size(const struct pickle *p, pickle_value v, int64_t *size)
{
    uint64_t bits;
    bool negative;

    if (!pickle_integer(p, v, &bits, &negative) || bits > INT64_MAX)
        return false;
    *size = (int64_t)bits;
    return true;
}

bool pickle_time(const struct pickle *p, pickle_value v, int64_t *time)
{
    uint64_t bits;
    bool negative;

    if (!pickle_integer(p, v, &bits, &negative) || (!negative && bits > INT64_MAX))
        return false;
    *time = (int64_t)bits;
    return true;
}

bool pickle_address(const struct pickle *p, pickle_value v, uint64_t *address)
{
    bool negative;

    return pickle_integer(p, v, address, &negative);
}

/* ---- containers */

pickle_value pickle_container(struct pickle *p, enum pickle_kind kind)
{
    const struct pickle_object empty = {.first = 0};

    if (p->objects.n == UINT32_MAX)
        xalloc_fail();
    vec_push(&p->objects, empty);
    return pickle_make(kind, p->objects.n - 1);
}

/* Makes room for N cells behind those of O, which may move. */
static void make_room(struct pickle *p, struct pickle_object *o, size_t n)
{
    const size_t wanted = o->n + n, end = p->cells.n;
    size_t capacity = wanted;

    if (wanted <= o->capacity)
        return;
    if (o->capacity && o->first + o->capacity == end) {
        vec_reserve(&p->cells, o->first + wanted);
        p->cells.n = o->first + wanted;
    } else {
        if (o->capacity && capacity < 2 * (size_t)o->capacity)
            capacity = 2 * (size_t)o->capacity;
        vec_reserve(&p->cells, end + capacity);
        if (o->n)
            memcpy(p->cells.data + end, p->cells.data + o->first, o->n * sizeof *p->cells.data);
        p->cells.n = end + capacity;
        o->first = (uint32_t)end;
    }
    if (p->cells.n > UINT32_MAX)
        xalloc_fail();
    o->capacity = (uint32_t)capacity;
}

/* Gives O, an empty list, the cells of one that begins with the same N VALUES.  Call stacks repeat in
 * each step. */
static bool share_cells(struct pickle *p, struct pickle_object *o, const pickle_value *values, size_t n)
{
    const int64_t hash = (int64_t)hash_bytes(values, n * sizeof *values);
    const uint32_t at = idmap_get(&p->short_lists, hash);
    const struct pickle_object *other = at == IDMAP_NONE ? NULL : &p->objects.data[at];

    if (!other) {
        idmap_put(&p->short_lists, hash, (uint32_t)(o - p->objects.data), 0);
        return false;
    }
    if (other->n < n || memcmp(p->cells.data + other->first, values, n * sizeof *values) != 0)
        return false;
    o->first = other->first;
    o->n = (uint32_t)n; /* the capacity is 0: they move when there are more */
    return true;
}

void pickle_append(struct pickle *p, pickle_value list, const pickle_value *values, size_t n)
{
    struct pickle_object *o = pickle_object(p, list);

    if (!n || (!o->n && n <= SHORT_LIST && share_cells(p, o, values, n)))
        return;
    make_room(p, o, n);
    memcpy(p->cells.data + o->first + o->n, values, n * sizeof *values);
    o->n += (uint32_t)n;
}

/* Id of the list of keys in p->keys. */
static uint32_t key_list(struct pickle *p)
{
    const size_t len = p->keys.n * sizeof *p->keys.data;

    if (intern_len(&p->key_lists, p->last_keys) != len ||
        memcmp(intern_text(&p->key_lists, p->last_keys), p->keys.data, len) != 0)
        p->last_keys = intern_put(&p->key_lists, p->keys.data, len);
    return p->last_keys;
}

static strid key_of_list(const struct pickle *p, uint32_t keys, uint32_t i)
{
    strid key;

    memcpy(&key, intern_text(&p->key_lists, keys) + i * sizeof key, sizeof key);
    return key;
}

/* ---- values of dicts with a list of keys */

static void write_value(struct pickle *p, pickle_value v)
{
    uint8_t *at = p->dict_values.data + p->dict_values.n;

    for (; v >= 0x80; v >>= 7)
        *at++ = (uint8_t)(v | 0x80);
    *at++ = (uint8_t)v;
    p->dict_values.n = (size_t)(at - p->dict_values.data);
}

static pickle_value read_value(const uint8_t **at)
{
    pickle_value v = 0;
    unsigned shift = 0;

    for (; **at >= 0x80; shift += 7)
        v |= (pickle_value)(*(*at)++ & 0x7f) << shift;
    return v | (pickle_value)*(*at)++ << shift;
}

static const uint8_t *values_of(const struct pickle *p, const struct pickle_object *o)
{
    return p->dict_values.data + o->first;
}

/* Makes the empty dict O one of a list of keys: those of N_PAIRS that are texts, N of them. */
static void set_first_items(struct pickle *p, struct pickle_object *o, const pickle_value *pairs,
                            size_t n_pairs, size_t n)
{
    p->keys.n = 0;
    vec_reserve(&p->dict_values, p->dict_values.n + n * VARINT_BYTES);
    if (p->dict_values.n > UINT32_MAX || n > UINT32_MAX)
        xalloc_fail();
    o->first = (uint32_t)p->dict_values.n;
    o->n = (uint32_t)n;
    for (size_t i = 0; i < n_pairs; i++)
        if (pickle_kind(pairs[2 * i]) == PICKLE_TEXT) {
            vec_push(&p->keys, (strid)pickle_index(pairs[2 * i]));
            write_value(p, pairs[2 * i + 1]);
        }
    o->keys = key_list(p);
}

/* Turns a dict with a list of keys into one with pairs. */
static void to_pairs(struct pickle *p, struct pickle_object *o)
{
    struct pickle_object pairs = {.first = 0};
    const uint8_t *at = values_of(p, o);

    make_room(p, &pairs, 2 * (size_t)o->n);
    for (uint32_t i = 0; i < o->n; i++) {
        p->cells.data[pairs.first + pairs.n++] = pickle_make(PICKLE_TEXT, key_of_list(p, o->keys, i));
        p->cells.data[pairs.first + pairs.n++] = read_value(&at);
    }
    *o = pairs;
}

void pickle_set_items(struct pickle *p, pickle_value dict, const pickle_value *pairs, size_t n_pairs)
{
    struct pickle_object *o = pickle_object(p, dict);
    size_t n = 0;

    for (size_t i = 0; i < n_pairs; i++)
        n += pickle_kind(pairs[2 * i]) == PICKLE_TEXT;
    if (!n)
        return;
    if (!o->n) {
        set_first_items(p, o, pairs, n_pairs, n);
        return;
    }
    if (o->keys)
        to_pairs(p, o);
    make_room(p, o, 2 * n);
    for (size_t i = 0; i < n_pairs; i++)
        if (pickle_kind(pairs[2 * i]) == PICKLE_TEXT) {
            p->cells.data[o->first + o->n++] = pairs[2 * i];
            p->cells.data[o->first + o->n++] = pairs[2 * i + 1];
        }
}

/* ---- reading dicts */

static uint32_t n_keys(const struct pickle_object *o)
{
    return o->keys ? o->n : o->n / 2;
}

static strid key_at(const struct pickle *p, const struct pickle_object *o, uint32_t i)
{
    return o->keys ? key_of_list(p, o->keys, i)
                   : (strid)pickle_index(p->cells.data[o->first + 2 * i]);
}

strid pickle_key_at(const struct pickle *p, pickle_value dict, uint32_t i)
{
    const struct pickle_object *o = pickle_object(p, dict);

    return i < n_keys(o) ? key_at(p, o, i) : STRID_NONE;
}

/* 1 + the known key that the I-th key of O is; 0: it is not known. */
static uint32_t slot_at(const struct pickle *p, const struct pickle_object *o, uint32_t i)
{
    const strid key = key_at(p, o, i);

    return key <= p->n_known ? key : 0;
}

/* Sets p->slots to those of O, which has a list of keys. */
static void find_slots(struct pickle *p, const struct pickle_object *o)
{
    for (uint32_t i = 0; i < o->n; i++)
        p->slots[i] = slot_at(p, o, i);
    p->slots_of = o->keys;
}

/* Sets p->known; of a key that is there twice the last value counts. */
static void find_known(struct pickle *p, const struct pickle_object *o)
{
    const uint8_t *at = o->keys ? values_of(p, o) : NULL;
    const bool has_slots = o->keys && o->keys == p->slots_of;
    const uint32_t n = n_keys(o);

    memset(p->known, 0, p->n_known * sizeof *p->known);
    for (uint32_t i = 0; i < n; i++) {
        const pickle_value v = at ? read_value(&at) : p->cells.data[o->first + 2 * i + 1];
        const uint32_t slot = has_slots ? p->slots[i] : slot_at(p, o, i);

        if (slot)
            p->known[slot - 1] = v;
    }
}

/* Leaves known keys alone in O, whose values are in p->known. */
static void cut_to_known(struct pickle *p, struct pickle_object *o)
{
    struct pickle_object pairs = {.first = 0};

    make_room(p, &pairs, 2 * (size_t)p->n_known);
    for (uint32_t key = 0; key < p->n_known; key++)
        if (p->known[key]) {
            p->cells.data[pairs.first + pairs.n++] = pickle_make(PICKLE_TEXT, key + 1);
            p->cells.data[pairs.first + pairs.n++] = p->known[key];
        }
    *o = pairs;
}

void pickle_open_dict(struct pickle *p, pickle_value dict)
{
    struct pickle_object *o = pickle_object(p, dict);
    const bool is_large = n_keys(o) > PICKLE_KEYS_MAX;

    if (!is_large && o->keys && o->keys != p->slots_of)
        find_slots(p, o);
    find_known(p, o);
    if (is_large)
        cut_to_known(p, o);
}
