/* pickle_values.c: stores values of pickles: numbers, lists and dicts. */
#include "load/snapshot/pickle.h"

#include <endian.h>
#include <string.h>

#include "base/hash.h"
#include "base/xalloc.h"

enum { SMALL_BITS = 59, SHORT_LIST = 256, KEY_LISTS_MAX = 0x7fffffff };

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

/* False when V is no integer from -2^63 to 2^64 - 1.  *BITS are two's complement if *NEGATIVE. */
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

/* Makes room for N more cells after those of O; may move O's cells. */
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

/* Lets O, an empty list, share the cells of a list that begins with the same N VALUES.  Call stacks
 * repeat in each step. */
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
    o->n = (uint32_t)n; /* capacity 0: appending moves the cells */
    return true;
}

void pickle_append(struct pickle *p, pickle_value list, const pickle_value *values, size_t n)
{
    struct pickle_object *o = pickle_object(p, list);

    if (!n)
        return;
    pickle_changes(p, list);
    if (!o->n && n <= SHORT_LIST && share_cells(p, o, values, n))
        return;
    make_room(p, o, n);
    memcpy(p->cells.data + o->first + o->n, values, n * sizeof *values);
    o->n += (uint32_t)n;
}

static strid key_of_list(const struct pickle *p, uint32_t keys, uint32_t i)
{
    strid key;

    memcpy(&key, intern_text(&p->key_lists, keys) + i * sizeof key, sizeof key);
    return key;
}

/* ---- values of a dict with a key list: blocks of BLOCK values.  A block has the values' sizes, 4
 * bits each, and then their bytes in little-endian order. */

enum { BLOCK = 16, VALUE_BYTES = 8, SIZE_BITS = 4 };

static size_t bytes_of(pickle_value v)
{
    return v ? (size_t)(71 - __builtin_clzll(v)) / 8 : 0;
}

/* Writes the values of N pairs (N <= BLOCK); returns the end of the block. */
static uint8_t *write_block(uint8_t *at, const pickle_value *pairs, size_t n)
{
    uint8_t *const head = at;
    uint64_t sizes = 0;

    at += (n + 1) / 2;
    for (size_t i = 0; i < n; i++) {
        const pickle_value v = htole64(pairs[2 * i + 1]);
        const size_t size = bytes_of(pairs[2 * i + 1]);

        sizes |= (uint64_t)size << SIZE_BITS * i;
        memcpy(at, &v, sizeof v);
        at += size;
    }
    sizes = htole64(sizes);
    memcpy(head, &sizes, (n + 1) / 2);
    return at;
}

/* Reads N values (N <= BLOCK); value I goes to KNOWN[SLOTS[I]].  Returns the end of the block. */
static const uint8_t *read_block(const uint8_t *at, size_t n, const uint8_t *slots, pickle_value *known)
{
    uint64_t sizes;

    memcpy(&sizes, at, sizeof sizes); /* VALUE_BYTES of padding follow the last block */
    sizes = le64toh(sizes);
    at += (n + 1) / 2;
    for (size_t i = 0; i < n; i++, sizes >>= SIZE_BITS) {
        const size_t size = sizes & 15;
        pickle_value v;

        memcpy(&v, at, sizeof v);
        v = le64toh(v);
        known[slots[i]] = size == VALUE_BYTES ? v : v & ((UINT64_C(1) << 8 * size) - 1);
        at += size;
    }
    return at;
}

/* True when the N PAIRS have exactly the keys of the list KEYS. */
static bool has_keys(const struct pickle *p, uint32_t keys, const pickle_value *pairs, size_t n)
{
    const char *at = intern_text(&p->key_lists, keys);
    strid key;

    if (intern_len(&p->key_lists, keys) != n * sizeof key)
        return false;
    for (size_t i = 0; i < n; i++, at += sizeof key) {
        memcpy(&key, at, sizeof key);
        if (pairs[2 * i] != pickle_make(PICKLE_TEXT, key))
            return false;
    }
    return true;
}

/* The id of the list of the keys of N PAIRS; 0 when a key is not a text. */
static uint32_t key_list(struct pickle *p, const pickle_value *pairs, size_t n)
{
    uint32_t *last = &p->last_keys[n % PICKLE_LAST_KEYS];

    if (has_keys(p, *last, pairs, n))
        return *last;
    p->keys.n = 0;
    for (size_t i = 0; i < n; i++) {
        if (pickle_kind(pairs[2 * i]) != PICKLE_TEXT)
            return 0;
        vec_push(&p->keys, (strid)pickle_index(pairs[2 * i]));
    }
    return *last = intern_put(&p->key_lists, p->keys.data, n * sizeof *p->keys.data);
}

/* Sets the N PAIRS in the empty dict O by means of a key list; false when a key is not a text. */
static bool set_first_items(struct pickle *p, struct pickle_object *o, const pickle_value *pairs,
                            size_t n)
{
    const size_t first = p->dict_values.n;
    const uint32_t keys = key_list(p, pairs, n);
    uint8_t *at;

    if (!keys)
        return false;
    vec_reserve(&p->dict_values, first + n * (VALUE_BYTES + 1) + VALUE_BYTES);
    if (first > UINT32_MAX || n > UINT32_MAX || keys > KEY_LISTS_MAX)
        xalloc_fail();
    at = p->dict_values.data + first;
    for (size_t i = 0; i < n; i += BLOCK)
        at = write_block(at, pairs + 2 * i, n - i < BLOCK ? n - i : BLOCK);
    p->dict_values.n = (size_t)(at - p->dict_values.data);
    *o = (struct pickle_object){.first = (uint32_t)first, .n = (uint32_t)n, .keys = keys & KEY_LISTS_MAX};
    return true;
}

/* Converts a dict with a key list into one with pairs in cells. */
static void convert_to_pairs(struct pickle *p, struct pickle_object *o)
{
    static const uint8_t in_order[BLOCK] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15};
    const uint8_t *at = p->dict_values.data + o->first;
    struct pickle_object pairs = {.first = 0};
    pickle_value values[BLOCK];

    make_room(p, &pairs, 2 * (size_t)o->n);
    for (uint32_t i = 0; i < o->n; i++) {
        if (i % BLOCK == 0)
            at = read_block(at, o->n - i < BLOCK ? o->n - i : BLOCK, in_order, values);
        p->cells.data[pairs.first + pairs.n++] = pickle_make(PICKLE_TEXT, key_of_list(p, o->keys, i));
        p->cells.data[pairs.first + pairs.n++] = values[i % BLOCK];
    }
    *o = pairs;
}

void pickle_set_items(struct pickle *p, pickle_value dict, const pickle_value *pairs, size_t n_pairs)
{
    struct pickle_object *o = pickle_object(p, dict);
    size_t n = 0;

    if (!n_pairs)
        return;
    pickle_changes(p, dict);
    if (!o->n && set_first_items(p, o, pairs, n_pairs))
        return;
    for (size_t i = 0; i < n_pairs; i++)
        n += pickle_kind(pairs[2 * i]) == PICKLE_TEXT;
    if (o->keys)
        convert_to_pairs(p, o);
    make_room(p, o, 2 * n);
    for (size_t i = 0; i < n_pairs; i++)
        if (pickle_kind(pairs[2 * i]) == PICKLE_TEXT) {
            p->cells.data[o->first + o->n++] = pairs[2 * i];
            p->cells.data[o->first + o->n++] = pairs[2 * i + 1];
        }
}

/* ---- reading dicts */

uint64_t pickle_references(const struct pickle *p, pickle_value list)
{
    static const uint8_t in_order[BLOCK] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15};
    uint64_t n = 0;

    vec_each(const struct pickle_object, o, &p->objects) {
        const uint8_t *at = o->keys ? p->dict_values.data + o->first : NULL;
        pickle_value values[BLOCK];

        for (uint32_t i = 0; i < o->n; i++) {
            if (o->keys && i % BLOCK == 0)
                at = read_block(at, o->n - i < BLOCK ? o->n - i : BLOCK, in_order, values);
            n += (o->keys ? values[i % BLOCK] : p->cells.data[o->first + i]) == list;
        }
    }
    return n;
}

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

/* The index in p->known of the I-th key of O; p->n_known for an unknown key. */
static uint8_t slot_at(const struct pickle *p, const struct pickle_object *o, uint32_t i)
{
    const strid key = key_at(p, o, i);

    return (uint8_t)(key && key <= p->n_known ? key - 1 : p->n_known);
}

/* The indexes in p->known of all keys of O, which has a key list of at most PICKLE_KEYS_MAX. */
static const uint8_t *slots_of(struct pickle *p, const struct pickle_object *o)
{
    struct pickle_slots *slots = &p->slots[o->keys % PICKLE_LAST_KEYS];

    if (slots->keys != o->keys)
        for (uint32_t i = 0; i < o->n; i++)
            slots->slots[i] = slot_at(p, o, i);
    slots->keys = o->keys;
    return slots->slots;
}

/* Sets p->known; the last value of a duplicate key counts. */
static void find_known(struct pickle *p, const struct pickle_object *o)
{
    const uint8_t *slots = o->keys ? slots_of(p, o) : NULL;
    const uint8_t *at = o->keys ? p->dict_values.data + o->first : NULL;

    if (!o->keys || p->known_of != o->keys) /* with an equal key list all entries are overwritten */
        memset(p->known, 0, (p->n_known + (size_t)1) * sizeof *p->known);
    p->known_of = o->keys;
    if (o->keys)
        for (uint32_t i = 0; i < o->n; i += BLOCK)
            at = read_block(at, o->n - i < BLOCK ? o->n - i : BLOCK, slots + i, p->known);
    else
        for (uint32_t i = 0; i < n_keys(o); i++)
            p->known[slot_at(p, o, i)] = p->cells.data[o->first + 2 * i + 1];
}

/* Removes the unknown keys of O; p->known has its values. */
static void drop_unknown_keys(struct pickle *p, struct pickle_object *o)
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

    if (is_large && o->keys)
        convert_to_pairs(p, o);
    find_known(p, o);
    if (is_large)
        drop_unknown_keys(p, o);
}
