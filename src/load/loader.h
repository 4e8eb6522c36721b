/* loader.h: what the readers of all formats share while a profile is built. */
#ifndef TFPROF_LOAD_LOADER_H
#define TFPROF_LOAD_LOADER_H

#include "base/strbuf.h"
#include "base/vec.h"
#include "base/wire_in.h"
#include "load/bytes/idmap.h"
#include "load/host_choice.h"
#include "load/load_request.h"
#include "model/builder.h"

/* Borrowed bytes of an input. */
struct span {
    const uint8_t *bytes;
    size_t len;
};

/* Dims of many shapes, one behind the other. */
typedef VEC(int64_t) dim_list;

/* A CodeDef; a message given twice is merged, so a call stack may have several. */
struct stack_part {
    struct span code_def;
    uint32_t hash; /* intern_hash() of it */
};

/* By what names runs know the nodes of graphs whose rows have other names. */
struct run_names {
    struct intern names;           /* id 0 is the empty string's */
    VEC(node_id) node_of_name;     /* by id less 1 */
    struct intern values;          /* tensors of the main graph */
    VEC(node_id) maker_of_value;   /* by id less 1 */
    VEC(node_id) first_input;      /* by node: what makes its first input, NODE_NONE: nothing */
    bool is_used;
};

struct gunzip_stream;    /* load/bytes/gunzip_stream.h */
struct function_library; /* load/graph/functions.h */
struct node_batch;       /* load/graph/node_batch.h */
struct run;              /* load/xplane/run.h */
struct stack_cache;      /* of load/run/codedef.c */

/* What a reader keeps until the load ends. */
struct loader_part {
    void *data;
    void (*free)(void *data);
};

/* One load, from builder_new() to builder_finish(). */
struct loader {
    struct builder *builder;
    const struct load_request *request;
    struct load_progress *progress; /* may be NULL */
    struct cancel_mark cancel;
    struct host_choice hosts; /* which of them are read */

    /* the input in work */
    const char *path;
    const char *path_again; /* the same while a file is read once more, when others are read; else NULL */
    struct span input;       /* all of it, unpacked; of one that arrives the head */
    struct gunzip_stream *unpacking; /* NULL, or behind the head more of it comes */
    bool is_text;            /* elements are decoded from a text */
    uint64_t element_offset; /* of the element in work, when is_text */
    uint16_t file;           /* for struct node_def */
    size_t reported_bytes;
    unsigned n_elements; /* paces progress and cancelling */

    struct arena pieces; /* messages that the input has in pieces, put together */

    struct function_library *library; /* NULL, or owned by the profile */
    bool functions_expanded;          /* bodies stand in the graph, as options say */
    bool in_function;                 /* inputs of nodes are left out */
    uint64_t n_known_nodes; /* of graphs, whose name another node had already */

    uint32_t n_traces; /* so far, those of ranks that nobody wants too */

    struct run *run; /* NULL, or what captures have said so far; whoever loads frees it */

    uint64_t n_digest_bytes; /* of names that records of digests made, so far */

    int64_t next_step;           /* of the next RunMetadata file */
    VEC(unsigned char) covered;  /* by node: met in a RunMetadata */
    size_t n_covered;
    bool step_has_accelerator, step_has_stream; /* devices of the step in work */

    struct idmap strings; /* id_to_string of op logs and profiles: id -> strid */

    struct stack_cache *stacks; /* of the file in work */
    VEC(struct stack_part) stack_parts; /* of the element in work */

    struct run_names run_names;

    /* scratch, kept between elements */
    struct node_batch *single; /* for elements that come one by one */
    dim_list dims;
    VEC(struct frame) frames;
    VEC(struct exec_time) times;
    VEC(struct run_output) run_outputs;

    VEC(struct loader_part) parts;
};

void loader_init(struct loader *l, const struct load_request *request,
                 struct load_progress *progress, struct cancel_mark cancel);
/* Has FREE_DATA free DATA when the load ends. */
void loader_keep(struct loader *l, void *data, void (*free_data)(void *data));
/* Frees all but the builder and the run. */
void loader_done(struct loader *l);

/* False when AT is in a message that was put together of pieces. */
bool load_in_input(const struct loader *l, const uint8_t *at);
/* Sets ERR to "PATH: offset N: ..." and returns false; AT is the byte in
 * question, inside the input.  In a text the element's place is said instead:
 * "PATH:LINE:COLUMN: ...". */
bool load_fail(const struct loader *l, const uint8_t *at, struct err *err, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
/* The same for a walk that ended: true when it came to its end, false when it
 * met malformed bytes.  WHERE names the message for people. */
bool load_ended(const struct loader *l, const struct wire_in *in, const char *where,
                struct err *err);

/* Appends a name as messages show it: escaped, and cut when it is very long. */
void load_quote(struct strbuf *sb, struct span name);

/* Call once per element: reports progress up to AT, and returns false with
 * ERR set when the load is cancelled. */
bool load_pace(struct loader *l, const uint8_t *at, struct err *err);

/* True with ERR set when the load is cancelled; looked at now and then, by N_DONE from 1 on, in
 * elements of which one may be all that a file holds.  On any thread. */
bool load_cancelled(const struct loader *l, size_t n_done, struct err *err);

/* An entry of a map field; what is absent has its default. */
struct map_entry {
    int64_t key, value;            /* when numbers */
    struct span key_span, value_span; /* when strings or messages */
};

/* The value is a message, put together in PIECES when it is in pieces; with PIECES NULL
 * a string, of which the last one counts. */
bool load_map_entry(const struct loader *l, struct span message, struct arena *pieces,
                    struct map_entry *entry, struct err *err);

/* Appends the elements of a repeated number, packed or not, to NUMBERS. */
bool load_numbers(const struct loader *l, const struct wire_field *f, dim_list *numbers,
                  struct err *err);

/* The string in field NUMBER of MESSAGE, of several the last one; bytes NULL when there is
 * none. */
struct span span_part(struct span message, uint32_t number);
/* The message in field NUMBER, see wire_submessage(). */
struct span span_message(struct span message, uint32_t number, struct arena *pieces);

static inline struct wire_in span_walk(struct span s)
{
    return wire_in_of(s.bytes, s.len);
}

static inline struct span field_span(const struct wire_field *f)
{
    struct span s = {f->bytes, f->len};

    return s;
}

#endif
