/* loader.h: state and functions shared by the readers of all formats. */
#pragma once

#include "base/err.h"
#include "base/intern.h"
#include "base/regex/regexes.h"
#include "base/strbuf.h"
#include "base/vec.h"
#include "base/wire_in.h"
#include "load/idmap.h"
#include "load/load_request.h"
#include "model/builder.h"

struct host_choice {
    struct regexes *regexes; /* NULL: all hosts */
    struct intern names;     /* of the hosts met so far */
    VEC(uint8_t) is_wanted;  /* by strid of names: 0 not tested, 1 no, 2 yes */
};

/* Sets LIST, a value of -host_regexes.  False with ERR when a regex is invalid; host_choice_done()
 * is required in any case. */
bool host_choice_init(struct host_choice *choice, const char *list, struct err *err);
void host_choice_done(struct host_choice *choice);

/* True when the host NAME is selected.  NAME is as printed by `hosts`; of traces "rank 3". */
bool host_is_wanted(struct host_choice *choice, struct text name);

/* Called after all inputs are read: false with ERR (input) when there are hosts but none is
 * selected. Adds NOTES if there are no hosts to choose from, or if a regex failed. */
bool host_choice_check(const struct host_choice *choice, struct notes *notes, struct err *err);

/* Borrowed bytes of an input. */
struct span {
    const uint8_t *bytes;
    size_t len;
};

static inline bool span_is(struct span s, const char *word)
{
    return s.len == strlen(word) && (!s.len || memcmp(s.bytes, word, s.len) == 0);
}

static inline bool span_begins(struct span s, const char *prefix)
{
    const size_t len = strlen(prefix);

    return s.len >= len && memcmp(s.bytes, prefix, len) == 0;
}

/* Prefetches the bytes of N names that another thread decoded: their first and last cache lines.
 * The spans are STRIDE bytes apart. */
static inline void span_prefetch(const struct span *names, size_t n, size_t stride)
{
    for (size_t i = 0; i < n; i++) {
        const struct span *name = (const void *)((const char *)names + i * stride);

        __builtin_prefetch(name->bytes);
        __builtin_prefetch(name->bytes + name->len);
    }
}

/* Dims of many shapes, concatenated. */
typedef VEC(int64_t) dim_list;

/* A CodeDef; repeated messages are merged, so a call stack may consist of several. */
struct stack_part {
    struct span code_def;
    uint32_t hash; /* intern_hash() of code_def */
};

/* Names of nodes in runs, for graphs whose rows have other names. */
struct run_names {
    struct intern names;           /* id 0 is the empty string */
    VEC(node_id) node_of_name;     /* by id - 1 */
    struct intern values;          /* tensors of the main graph */
    VEC(node_id) producer_of_value;   /* by id - 1 */
    VEC(node_id) first_input;      /* by node: producer of its first input, or NODE_NONE */
    bool is_used;
};

struct gunzip_stream;    /* load/bytes/gunzip_stream.h */
struct function_library; /* load/graph/functions.h */
struct node_batch;       /* load/graph/node_batch.h */
struct replay_state;     /* load/replay/replay.h */
struct run;              /* load/xplane/run.h */
struct stack_cache;      /* load/run/codedef.c */

/* Data that a reader keeps until the load ends. */
struct loader_part {
    void *data;
    void (*free)(void *data);
};

/* Decision of a reader about its input. */
enum input_turn {
    TURN_TAKEN,
    TURN_LATER, /* read it again, after the other inputs of its format */
    TURN_ASIDE, /* not an input of the profile */
};

/* One load, from builder_new() to builder_finish(). */
struct loader {
    struct builder *builder;
    const struct load_request *request;
    struct load_progress *progress; /* may be NULL */
    struct cancel_mark cancel;
    struct host_choice hosts; /* hosts to read */

    /* the current input */
    const char *path;
    /* The path of the K-th following input of the same format (K from 0), or NULL.  The member is
     * NULL when inputs are not in a list. */
    const char *(*path_ahead)(const struct loader *l, size_t k);
    const void *inputs;      /* of path_ahead */
    enum input_turn turn;    /* set by the reader */
    bool is_again;           /* its turn was TURN_LATER before */
    bool can_wait;           /* its turn may be TURN_LATER */
    const char *path_again; /* set during a second reading of the file; else NULL */
    struct span input;       /* decompressed; only the head while data arrive */
    uint64_t part_bytes;     /* read only so many decompressed bytes; 0: all */
    struct gunzip_stream *unpacking; /* provides the bytes after the head, or NULL */
    bool is_text;            /* elements come from a text */
    uint64_t element_offset; /* of the current element, if is_text */
    uint16_t file;           /* for struct node_def */
    size_t reported_bytes;
    unsigned n_elements; /* paces progress and cancellation */

    struct arena pieces; /* joined pieces of messages */

    struct function_library *library; /* NULL, or owned by the profile */
    bool functions_expanded;          /* bodies are in the graph */
    bool in_function;                 /* inputs of nodes are not added */
    uint64_t n_known_nodes; /* nodes of graphs whose name was already in use */

    uint32_t n_traces; /* so far, including ranks that are left out */

    struct replay_state *replays; /* NULL, or how graph replays of traces are joined; a part */

    struct run *run; /* NULL, or the state of captures; freed by the caller of the load */

    uint64_t n_digest_bytes; /* number of names made from digest records */

    int64_t next_step;           /* for the next RunMetadata file */
    VEC(unsigned char) covered;  /* by node: has run in a RunMetadata */
    size_t n_covered;
    bool step_has_accelerator, step_has_stream; /* devices of the current step */

    struct idmap strings; /* id_to_string of op logs and profiles: id -> strid */

    struct stack_cache *stacks; /* of the current file */
    VEC(struct stack_part) stack_parts; /* of the current element */

    struct run_names run_names;

    /* scratch memory */
    struct node_batch *single; /* for single elements */
    dim_list dims;
    VEC(struct frame) frames;
    VEC(struct exec_time) times;
    VEC(struct run_output) run_outputs;

    VEC(struct loader_part) parts;
};

void loader_init(struct loader *l, const struct load_request *request,
                 struct load_progress *progress, struct cancel_mark cancel);
/* Calls FREE_DATA with DATA when the load ends. */
void loader_keep(struct loader *l, void *data, void (*free_data)(void *data));
/* Frees everything except the builder and the run. */
void loader_done(struct loader *l);

/* False when AT is in a message joined from pieces. */
bool load_in_input(const struct loader *l, const uint8_t *at);
/* Sets the error "PATH: offset N: ..." and returns false; AT is the byte in the input.  In a text
 * it is the position of the element: "PATH:LINE:COLUMN: ...". */
bool load_fail(const struct loader *l, const uint8_t *at, struct err *err, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
/* The same after a scan: true at the end of the message, false at a malformed field.  WHERE names
 * the message. */
bool load_ended(const struct loader *l, const struct wire_in *in, const char *where,
                struct err *err);

/* A field of a message, and the member that takes its last occurrence. */
enum field_kind {
    FIELD_NONE,   /* ends a table */
    FIELD_NUMBER, /* a varint, to an int64_t */
    FIELD_SPAN,   /* bytes, to a struct span */
    FIELD_NAME,   /* likewise; must be UTF-8 */
};
struct field_spec {
    uint32_t number;
    enum field_kind kind;
    size_t offset; /* of the member in OUT */
};
/* Decodes the FIELDS of MESSAGE to OUT; members of other fields stay as they are.  WHERE names the
 * message in errors. */
bool load_fields(const struct loader *l, struct span message, const char *where,
                 const struct field_spec *fields, void *out, struct err *err);

/* Appends a name for messages: escaped, and truncated if very long. */
void load_quote(struct strbuf *sb, struct span name);

/* Called once for each element: reports progress up to AT; false with ERR when the load is
 * cancelled. */
bool load_tick(struct loader *l, const uint8_t *at, struct err *err);

/* True with ERR when the load is cancelled.  Checks only for some values of N_DONE, counted from 1;
 * for loops within an element that may be the whole file.  On any thread. */
bool load_cancelled(const struct loader *l, size_t n_done, struct err *err);

/* An entry of a map field; missing parts have default values. */
struct map_entry {
    int64_t key, value;            /* numbers */
    struct span key_span, value_span; /* strings or messages */
};

/* The value is a message, joined in PIECES; with PIECES NULL a string, of which the last one
 * counts. */
bool load_map_entry(const struct loader *l, struct span message, struct arena *pieces,
                    struct map_entry *entry, struct err *err);

/* Appends the elements of a repeated number field, packed or not, to NUMBERS. */
bool load_numbers(const struct loader *l, const struct wire_field *f, dim_list *numbers,
                  struct err *err);

/* The last string in field NUMBER of MESSAGE; bytes NULL when there is none. */
struct span span_part(struct span message, uint32_t number);
/* The message in field NUMBER, see wire_submessage(). */
struct span span_message(struct span message, uint32_t number, struct arena *pieces);

/* The node that runs call NAME, and the node that makes the tensor VALUE; NODE_NONE if unknown. */
node_id run_node_named(const struct run_names *names, const void *name, size_t len);
node_id run_producer_of(const struct run_names *names, struct span value);

static inline struct wire_in span_walk(struct span s)
{
    return wire_in_of(s.bytes, s.len);
}

static inline struct span field_span(const struct wire_field *f)
{
    struct span s = {f->bytes, f->len};

    return s;
}

/* Sets NUMBERS[i] to the last varint in field I of MESSAGE, for fields below N; those that are
 * missing keep their number.  WHERE names the message in errors.  Inline, because many are read for
 * each execution. */
static inline bool load_varints(const struct loader *l, struct span message, const char *where,
                                uint64_t *numbers, uint32_t n, struct err *err)
{
    struct wire_in in = span_walk(message);
    struct wire_field f;

    while (wire_next(&in, &f))
        if (f.type == WIRE_VARINT && f.number < n)
            numbers[f.number] = f.value;
    return load_ended(l, &in, where, err);
}

/* Loops over the fields F of NUMBER in the vector FIELDS. */
#define fields_each(f, fields, of)                  \
    vec_each(const struct wire_field, f, &(fields)) \
        if (f->number == (of))
