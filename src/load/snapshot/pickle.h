/* pickle.h: reads pickles of protocols 2 to 5 as plain data.
 *
 * Nothing is imported, called or constructed: an opcode that asks for it ends the reading.  Values are
 * 8 bytes; lists keep theirs in one growing array, dicts without zeros in front.  Short lists of equal elements
 * share them.  Containers may contain themselves, so
 * callers follow fixed paths only. */
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
    PICKLE_INTEGER, /* of up to 60 bits */
    PICKLE_WIDE,    /* any other that an address or a time may be */
    PICKLE_HUGE,    /* an integer beyond these */
    PICKLE_FLOAT,   /* of this and of the following only the kind is known */
    PICKLE_BYTES,
    PICKLE_TUPLE,
    PICKLE_SET,
    PICKLE_TEXT,
    PICKLE_LIST,
    PICKLE_DICT,
};

/* The kind in the low 4 bits, above them a number or an index. 0: PICKLE_ABSENT. */
typedef uint64_t pickle_value;

static inline enum pickle_kind pickle_kind(pickle_value v)
{
    return (enum pickle_kind)(v & 15);
}

static inline uint64_t pickle_index(pickle_value v)
{
    return v >> 4;
}

/* "list": static text. */
const char *pickle_kind_name(enum pickle_kind kind);

enum pickle_end { PICKLE_STOPPED, PICKLE_DAMAGED, PICKLE_REFUSED, PICKLE_CANCELLED };

/* A list or a dict; of up to 2^32 - 1 values. */
struct pickle_object {
    uint32_t first, n, capacity; /* in cells: elements of a list, or pairs of a dict, 2 each */
    uint32_t is_watched : 1; /* pickle_watch() */
    uint32_t keys : 31; /* of a dict: id in key_lists, and its values are in dict_values; 0: it has pairs */
};

/* A dict with more keys is cut to those that are known when it is opened: it may be opened as often
 * as there are bytes. */
enum { PICKLE_KEYS_MAX = 64, PICKLE_LAST_KEYS = 16 };

/* Places in `known` of the keys of a key list. */
struct pickle_slots {
    uint32_t keys; /* 0: none */
    uint8_t slots[PICKLE_KEYS_MAX];
};

#define PICKLE_NO_REPEAT UINT32_MAX

/* A list whose elements are values of the memo: its opcodes, from MARK to APPENDS, and its cells. */
struct pickle_repeat {
    size_t first; /* in repeat_bytes */
    uint32_t len, cells, n;
    uint32_t next; /* the list that came behind it last; PICKLE_NO_REPEAT */
};

struct pickle {
    const uint8_t *bytes, *at, *end;
    struct cancel_mark cancel;
    void (*passed)(void *context, const uint8_t *at); /* called now and then with the place; may be NULL */
    /* Called when APPENDS has added to a LIST of N_BEFORE elements; may be NULL. */
    void (*grown)(void *context, pickle_value list, uint32_t n_before);
    void *context;
    bool has_late_changes;  /* to containers that are watched */
    uint64_t end_offset;    /* where reading ended: of the opcode concerned, or of what follows STOP */
    const char *opcode;     /* PICKLE_REFUSED: its name; NULL: it has none */
    pickle_value value;     /* the result; PICKLE_ABSENT: there is none */
    struct intern texts;
    VEC(pickle_value) cells;
    VEC(struct pickle_object) objects;
    uint8_t *marks_of_object; /* heap, [objects.n] PICKLE_IS_... of damaged data; NULL: all is whole */
    /* The following are private. */
    VEC(pickle_value) stack;
    VEC(size_t) marks; /* places in the stack */
    VEC(pickle_value) memo;
    struct idmap far_memo; /* indexes beyond `memo`, to far_values */
    VEC(pickle_value) far_values;
    uint64_t n_memo;
    VEC(uint64_t) wide; /* bits of numbers */
    VEC(bool) wide_is_negative;
    struct idmap short_lists; /* by hash of the elements, to an object that begins with them */
    const uint8_t *mark_at;   /* of the last MARK; NULL */
    VEC(struct pickle_repeat) repeats;
    VEC(uint8_t) repeat_bytes;
    struct idmap repeat_of_bytes;
    uint32_t last_repeat;     /* of the list before; PICKLE_NO_REPEAT */
    struct intern key_lists;  /* of dicts that are made at once: strids */
    VEC(uint8_t) dict_values; /* of such dicts, in the order of their keys */
    VEC(strid) keys;          /* scratch */
    uint32_t last_keys[PICKLE_LAST_KEYS]; /* in key_lists: of the last dict of so many keys */
    pickle_value *known; /* [n_known + 1] values of the dict that is open, by known key, and of others */
    uint32_t n_known;
    uint32_t known_of; /* key list of the open dict; 0: `known` may hold values of others */
    struct pickle_slots slots[PICKLE_LAST_KEYS]; /* by key list */
};

enum { PICKLE_IS_OPEN = 1, PICKLE_IS_INCOMPLETE = 2 };

/* Prepares to read LEN bytes, borrowed; the first byte must be 0x80.  The N_KNOWN KEYS are those that
 * pickle_field() finds: the strid of KEYS[i] is i + 1. */
void pickle_init(struct pickle *p, const uint8_t *bytes, size_t len, const char *const *keys,
                 uint32_t n_known);
void pickle_done(struct pickle *p);
/* Reads up to STOP.  Of damaged data containers are completed (formats-snapshot.md
 * section 2). */
enum pickle_end pickle_read(struct pickle *p);
/* The protocol of a pickle, or -1: it ends before. */
int pickle_protocol(const uint8_t *bytes, size_t len);

/* ---- values */

/* Integers of 0 to 2^63 - 1, such of int64_t, and addresses, modulo 2^64. */
bool pickle_size(const struct pickle *p, pickle_value v, int64_t *size);
bool pickle_time(const struct pickle *p, pickle_value v, int64_t *time);
bool pickle_address(const struct pickle *p, pickle_value v, uint64_t *address);

static inline struct text pickle_text(const struct pickle *p, pickle_value v)
{
    return intern_string(&p->texts, (strid)pickle_index(v));
}

/* The object of a list or dict. */
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

/* Elements of a list; valid while nothing is read. */
static inline const pickle_value *pickle_elements(const struct pickle *p, pickle_value list,
                                                  uint32_t *n)
{
    const struct pickle_object *o = pickle_object(p, list);

    *n = o->n;
    return vec_from(&p->cells, o->first);
}

/* Makes DICT the dict that pickle_field() is about, until the next call. */
void pickle_open_dict(struct pickle *p, pickle_value dict);
/* The value of a known key of the open dict, or PICKLE_ABSENT. */
static inline pickle_value pickle_field(const struct pickle *p, uint32_t key)
{
    return p->known[key];
}

/* Notes that something has looked at a list or dict that may still change. */
static inline void pickle_watch(struct pickle *p, pickle_value v)
{
    pickle_object(p, v)->is_watched = 1;
}

/* The text of the I-th key of DICT, in the order in which they were set, with keys that were set
 * again; STRID_NONE behind the last. */
strid pickle_key_at(const struct pickle *p, pickle_value dict, uint32_t i);

/* How values are made; private to pickle*.c. */
static inline pickle_value pickle_make(enum pickle_kind kind, uint64_t index)
{
    return index << 4 | kind;
}

/* An integer by its bits and sign. */
pickle_value pickle_number(struct pickle *p, uint64_t bits, bool negative);
/* The same of LEN bytes, little-endian, two's complement. */
pickle_value pickle_long(struct pickle *p, const uint8_t *bytes, size_t len);
/* An empty PICKLE_LIST or PICKLE_DICT. */
pickle_value pickle_container(struct pickle *p, enum pickle_kind kind);
void pickle_append(struct pickle *p, pickle_value list, const pickle_value *values, size_t n);
/* N_PAIRS keys and values by turns; keys that are no texts are left out. */
void pickle_set_items(struct pickle *p, pickle_value dict, const pickle_value *pairs, size_t n_pairs);

/* Runs opcodes from p->at on, as far as they are common ones that need no look at the end of the data
 * (pickle_fast.c). */
void pickle_run_fast(struct pickle *p);
/* Notes the elements of LIST, which APPENDS before p->at has added to an empty list. */
void pickle_learn_list(struct pickle *p, pickle_value list);
/* A value of the memo changes, and with it what lists repeat. */
void pickle_forget_lists(struct pickle *p);
/* Completes the containers that were open when reading ended (pickle_damage.c). */
void pickle_complete(struct pickle *p);
