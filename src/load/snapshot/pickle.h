/* pickle.h: reads pickles of protocols 2 to 5 as plain data.
 *
 * Nothing is imported, called or constructed: an opcode that would do so ends the reading.  A value
 * takes 8 bytes.  All lists share one array of cells; lists with equal elements share cells; values
 * of dicts are stored without leading zero bytes.  Containers may contain themselves, so callers
 * follow paths of fixed length only. */
#pragma once

#include "base/cancel.h"
#include "base/err.h"
#include "base/intern.h"
#include "base/text.h"
#include "base/vec.h"
#include "load/idmap.h"

enum pickle_kind {
    PICKLE_ABSENT, /* no value */
    PICKLE_NONE,
    PICKLE_BOOL,
    PICKLE_INTEGER, /* signed, up to 60 bits */
    PICKLE_WIDE,    /* larger, from -2^63 to 2^64 - 1 */
    PICKLE_HUGE,    /* an integer outside that range */
    PICKLE_FLOAT,   /* for FLOAT, BYTES, TUPLE and SET only the kind is stored */
    PICKLE_BYTES,
    PICKLE_TUPLE,
    PICKLE_SET,
    PICKLE_TEXT,
    PICKLE_LIST,
    PICKLE_DICT,
    PICKLE_RELEASED, /* of a memo entry: see pickle_release() */
};

/* The low 4 bits are the kind, the others a number or an index.  0 is PICKLE_ABSENT. */
typedef uint64_t pickle_value;

#define PICKLE_TRUE ((pickle_value)1 << 4 | PICKLE_BOOL)

static inline enum pickle_kind pickle_kind(pickle_value v)
{
    return (enum pickle_kind)(v & 15);
}

static inline uint64_t pickle_index(pickle_value v)
{
    return v >> 4;
}

/* The Python name of KIND, such as "list"; static. */
const char *pickle_kind_name(enum pickle_kind kind);

enum pickle_end { PICKLE_STOPPED, PICKLE_DAMAGED, PICKLE_REFUSED, PICKLE_CANCELLED };

/* A list or a dict; at most 2^32 - 1 values. */
struct pickle_object {
    uint32_t first, n, capacity; /* in cells; a dict uses 2 cells per pair */
    uint32_t is_watched : 1; /* set by pickle_watch() */
    uint32_t keys : 31; /* of a dict: id in key_lists, values in dict_values; 0: pairs in cells */
};

/* Opening a dict with more keys than PICKLE_KEYS_MAX removes its unknown keys, so that opening it
 * many times stays cheap. */
enum { PICKLE_KEYS_MAX = 64, PICKLE_LAST_KEYS = 16 };

/* Indexes in `known` for each key of a key list. */
struct pickle_slots {
    uint32_t keys; /* id of the key list; 0: unused */
    uint8_t slots[PICKLE_KEYS_MAX];
};

#define PICKLE_NO_REPEAT UINT32_MAX

/* A list built only from memo values: its opcodes from MARK to APPENDS, and its cells. */
struct pickle_repeat {
    size_t first; /* offset in repeat_bytes */
    uint32_t len, cells, n;
    uint32_t next; /* the list that followed it last time, or PICKLE_NO_REPEAT */
};

struct pickle {
    const uint8_t *bytes, *at, *end;
    struct cancel_mark cancel;
    void (*passed)(void *context, const uint8_t *at); /* progress; may be NULL */
    /* Called after APPENDS has extended LIST, which had N_BEFORE elements.  May be NULL. */
    void (*grown)(void *context, pickle_value list, uint32_t n_before);
    void *context;
    bool has_late_changes;  /* a watched container has changed */
    bool has_lost_values;   /* a released value was needed */
    uint64_t end_offset;    /* offset of the opcode that ended the reading, or after STOP */
    const char *opcode;     /* name of the opcode after PICKLE_REFUSED; NULL: unknown opcode */
    pickle_value value;     /* the result; PICKLE_ABSENT if none */
    struct intern texts;
    VEC(pickle_value) cells;
    VEC(struct pickle_object) objects;
    uint8_t *marks_of_object; /* heap, [objects.n] PICKLE_IS_ bits; NULL: complete data */
    /* The fields below are private to pickle*.c. */
    struct pickle_kept {
        size_t n_objects, n_values, n_memo; /* of objects, dict_values, memo */
        uint64_t list;   /* object that may change */
        bool is_changed; /* another container or memo entry of before has changed */
    } kept;
    VEC(pickle_value) stack;
    VEC(size_t) marks; /* stack indexes */
    VEC(pickle_value) memo;
    struct idmap far_memo; /* memo index -> far_values, for sparse indexes */
    VEC(pickle_value) far_values;
    uint64_t n_memo;
    VEC(uint64_t) wide; /* bits of PICKLE_WIDE numbers */
    VEC(bool) wide_is_negative;
    struct idmap short_lists; /* hash of the elements -> an object that begins with them */
    const uint8_t *mark_at;   /* of the last MARK, or NULL */
    VEC(struct pickle_repeat) repeats;
    VEC(uint8_t) repeat_bytes;
    struct idmap repeat_of_bytes;
    uint32_t last_repeat;     /* of the previous list, or PICKLE_NO_REPEAT */
    struct intern key_lists;  /* lists of strids: the keys of dicts that were set at once */
    VEC(uint8_t) dict_values; /* values of these dicts, in the order of their keys */
    VEC(strid) keys;          /* scratch */
    uint32_t last_keys[PICKLE_LAST_KEYS]; /* by number of keys, modulo: last key list */
    pickle_value *known; /* [n_known + 1] of the open dict, by known key; the last: other keys */
    uint32_t n_known;
    uint32_t known_of; /* key list of the open dict; 0: `known` has to be cleared */
    struct pickle_slots slots[PICKLE_LAST_KEYS]; /* cache, by key list */
};

enum { PICKLE_IS_OPEN = 1, PICKLE_IS_INCOMPLETE = 2 };

/* Prepares to read LEN bytes, which are borrowed and must begin with 0x80.  pickle_field() finds
 * the N_KNOWN KEYS; the strid of KEYS[i] is i + 1. */
void pickle_init(struct pickle *p, const uint8_t *bytes, size_t len, const char *const *keys,
                 uint32_t n_known);
void pickle_done(struct pickle *p);
/* Reads up to STOP.  If the data end early, open containers are completed (formats-snapshot.md
 * section 2). */
enum pickle_end pickle_read(struct pickle *p);
/* The protocol of a pickle; -1 when it ends before its version. */
int pickle_protocol(const uint8_t *bytes, size_t len);

/* ---- values */

/* Convert an integer V; false when it is not an integer or is out of range.  Sizes are 0 to 2^63 -
 * 1, times are int64_t, addresses are taken modulo 2^64. */
bool pickle_size(const struct pickle *p, pickle_value v, int64_t *size);
bool pickle_time(const struct pickle *p, pickle_value v, int64_t *time);
bool pickle_address(const struct pickle *p, pickle_value v, uint64_t *address);

static inline struct text pickle_text(const struct pickle *p, pickle_value v)
{
    return intern_string(&p->texts, (strid)pickle_index(v));
}

/* The object of a list or dict; valid until the next object is created. */
static inline struct pickle_object *pickle_object(const struct pickle *p, pickle_value v)
{
    return &p->objects.data[pickle_index(v)];
}

static inline bool pickle_is_open(const struct pickle *p, pickle_value v)
{
    return p->marks_of_object && p->marks_of_object[pickle_index(v)] & PICKLE_IS_OPEN;
}

static inline bool pickle_is_incomplete(const struct pickle *p, pickle_value v)
{
    return p->marks_of_object && p->marks_of_object[pickle_index(v)] & PICKLE_IS_INCOMPLETE;
}

/* The N elements of a list, none of another value; valid until more of the pickle is read. */
static inline const pickle_value *pickle_elements(const struct pickle *p, pickle_value list,
                                                  uint32_t *n)
{
    const struct pickle_object *o;

    *n = 0;
    if (pickle_kind(list) != PICKLE_LIST)
        return NULL;
    o = pickle_object(p, list);
    *n = o->n;
    return vec_from(&p->cells, o->first);
}

/* The first element of a list, else PICKLE_ABSENT. */
static inline pickle_value pickle_first(const struct pickle *p, pickle_value list)
{
    uint32_t n;
    const pickle_value *elements = pickle_elements(p, list, &n);

    return n ? elements[0] : PICKLE_ABSENT;
}

/* Selects the dict that pickle_field() reads, until the next call. */
void pickle_open_dict(struct pickle *p, pickle_value dict);
/* The value of a known key of the open dict, or PICKLE_ABSENT.  KEY is an index in KEYS. */
static inline pickle_value pickle_field(const struct pickle *p, uint32_t key)
{
    return p->known[key];
}

/* Marks a container that was inspected early: later changes set has_late_changes. */
static inline void pickle_watch(struct pickle *p, pickle_value v)
{
    pickle_object(p, v)->is_watched = 1;
}

/* Reading a list in parts: pickle_keep() keeps all values until now.  pickle_release() frees the memory
 * of what was read since then except for the first N elements of LIST, if all of it is watched dicts with
 * lists like those of before, and if nothing of before refers to it; else it returns false.  The number of
 * references to a list shows whether other values share it. */
void pickle_keep(struct pickle *p, pickle_value list);
bool pickle_release(struct pickle *p, pickle_value list, uint32_t n);
uint64_t pickle_references(const struct pickle *p, pickle_value list);

/* Notes that the container V changes. */
static inline void pickle_changes(struct pickle *p, pickle_value v)
{
    const struct pickle_object *o = pickle_object(p, v);

    p->has_late_changes |= o->is_watched;
    p->kept.is_changed |= pickle_index(v) < p->kept.n_objects && pickle_index(v) != p->kept.list;
}

/* The I-th key of DICT in insertion order, duplicates included; STRID_NONE after the last. */
strid pickle_key_at(const struct pickle *p, pickle_value dict, uint32_t i);

/* Constructors of values; private to pickle*.c. */
static inline pickle_value pickle_make(enum pickle_kind kind, uint64_t index)
{
    return index << 4 | kind;
}

/* An integer with these 64 bits; NEGATIVE: they are two's complement. */
pickle_value pickle_number(struct pickle *p, uint64_t bits, bool negative);
/* An integer of LEN bytes, little-endian, two's complement. */
pickle_value pickle_long(struct pickle *p, const uint8_t *bytes, size_t len);
/* An empty PICKLE_LIST or PICKLE_DICT. */
pickle_value pickle_container(struct pickle *p, enum pickle_kind kind);
void pickle_append(struct pickle *p, pickle_value list, const pickle_value *values, size_t n);
/* Sets N_PAIRS items; PAIRS alternates keys and values.  Keys that are not texts are skipped. */
void pickle_set_items(struct pickle *p, pickle_value dict, const pickle_value *pairs, size_t n_pairs);

/* Fast path: runs common opcodes from p->at while the stack has room and the end of the data is far
 * (pickle_fast.c). */
void pickle_run_fast(struct pickle *p);
/* Remembers the opcodes of LIST, which the APPENDS before p->at has filled. */
void pickle_remember_list(struct pickle *p, pickle_value list);
/* Forgets all repeated lists, because a memo entry was replaced. */
void pickle_forget_lists(struct pickle *p);
/* Completes the containers that were open when reading ended (pickle_damage.c). */
void pickle_complete(struct pickle *p);
