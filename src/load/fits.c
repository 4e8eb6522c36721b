/* fits.c: tests whether bytes have the structure of a format.
 *
 * Protobuf messages have no type name.  They are distinguished by their field numbers and wire
 * types (formats-tfprof.md section 2.2), so each message is described by a short list of those.
 * Files of later releases may have further fields, and names may have any bytes: if no format fits
 * completely, the evidence for and against each format is weighed. */
#include "load/fits.h"


#include "model/profile_fields.h"

enum { LOOK_AT_FIELDS = 64, HEAD_OF_PPROF = 4096 };

/* Wire types as bits of a mask. */
enum {
    NUMBER = 1 << WIRE_VARINT,
    BYTES = 1 << WIRE_LEN,
    LIST = NUMBER | BYTES,
    REAL = 1 << WIRE_I64,
};

/* One known field of a message. */
struct known {
    uint32_t number;
    unsigned types;              /* allowed wire types */
    /* for BYTES: a test of the contents; NULL: none */
    bool (*inside)(struct span, struct evidence *);
    bool required;
};

bool fits_next(struct wire_in *in, struct wire_field *f)
{
    const uint8_t *at = in->at;
    uint64_t tag, len;

    if (wire_next(in, f))
        return true;
    if (!in->why || at >= in->end || !wire_read_varint(&at, in->end, &tag) ||
        (tag & 7) != WIRE_LEN || !wire_read_varint(&at, in->end, &len) || tag >> 3 > UINT32_MAX ||
        len <= (uint64_t)(in->end - at))
        return false;
    *f = (struct wire_field){.number = (uint32_t)(tag >> 3), .type = WIRE_LEN, .bytes = at,
                             .len = (size_t)(in->end - at)};
    in->at = in->end;
    in->why = NULL;
    return true;
}

/* Weights of evidence. */
enum { KNOWN_FIELD = 4, UNKNOWN_FIELD = 1, OTHER_TYPE = 6, OTHER_CONTENT = 10 };

/* Tests one field of a message; false when it does not fit and E is NULL. */
static bool fits_field(const struct wire_field *f, const struct known *known,
                       struct evidence *e)
{
    if (!known || !(known->types & 1u << f->type)) {
        if (e)
            e->against += known ? OTHER_TYPE : UNKNOWN_FIELD;
        return e != NULL;
    }
    if (!e)
        return f->type != WIRE_LEN || !known->inside || known->inside(field_span(f), NULL);
    e->in_favour += KNOWN_FIELD;
    if (f->type == WIRE_LEN && known->inside && !known->inside(field_span(f), e))
        e->against += OTHER_CONTENT;
    return true;
}

/* True when the first fields of MESSAGE are all among the N KNOWN, have an allowed type and
 * matching contents, and all required ones exist.  With E mismatches are weighed instead, but
 * required fields have to exist. */
static bool fits(struct span message, const struct known *known, size_t n, struct evidence *e)
{
    struct wire_in in = span_walk(message);
    struct wire_field f;
    unsigned seen = 0;
    unsigned n_fields = 0;

    while (n_fields < LOOK_AT_FIELDS && fits_next(&in, &f)) {
        size_t i = 0;

        while (i < n && known[i].number != f.number)
            i++;
        if (!fits_field(&f, i < n ? &known[i] : NULL, e))
            return false;
        if (i < n)
            seen |= 1u << i;
        n_fields++;
    }
    for (size_t i = 0; i < n; i++)
        if (known[i].required && !(seen & 1u << i))
            return false;
    return !in.why || n_fields > 1;
}

#define FITS(message, e, ...)                                               \
    fits((message), (const struct known[]){__VA_ARGS__},                    \
         sizeof((const struct known[]){__VA_ARGS__}) / sizeof(struct known), (e))

/* Names are text, nearly always without control characters, which embedded messages always have. */
static bool is_name(struct span text, struct evidence *e)
{
    for (size_t i = 0; i < text.len; i++)
        if (text.bytes[i] < 0x20 || text.bytes[i] == 0x7f) {
            if (e)
                e->against += UNKNOWN_FIELD;
            return e != NULL;
        }
    return true;
}

static bool is_empty(struct span bytes)
{
    return bytes.len == 0;
}

/* ---- GraphDef */

static bool fits_node(struct span node, struct evidence *e)
{
    return FITS(node, e, {1, BYTES, is_name, false}, {2, BYTES, is_name, true},
                {3, BYTES, NULL, false}, {4, BYTES, NULL, false}, {5, BYTES, NULL, false},
                {6, BYTES, NULL, false}, {7, BYTES, NULL, false});
}

static bool fits_signature(struct span op, struct evidence *e)
{
    return FITS(op, e, {1, BYTES, is_name, true}, {2, BYTES, NULL, false}, {3, BYTES, NULL, false},
                {4, BYTES, NULL, false}, {5, BYTES, NULL, false}, {6, BYTES, NULL, false},
                {8, BYTES, NULL, false}, {16, NUMBER, NULL, false}, {17, NUMBER, NULL, false},
                {18, NUMBER, NULL, false}, {19, NUMBER, NULL, false}, {20, BYTES, NULL, false},
                {21, NUMBER, NULL, false});
}

static bool fits_function(struct span function, struct evidence *e)
{
    return FITS(function, e, {1, BYTES, fits_signature, true}, {2, BYTES, NULL, false},
                {3, BYTES, fits_node, false}, {4, BYTES, NULL, false}, {5, BYTES, NULL, false},
                {6, BYTES, NULL, false}, {7, BYTES, NULL, false}, {8, BYTES, NULL, false});
}

static bool fits_library(struct span library, struct evidence *e)
{
    return FITS(library, e, {1, BYTES, fits_function, false}, {2, BYTES, NULL, false},
                {3, BYTES, NULL, false});
}

static bool fits_versions(struct span versions, struct evidence *e)
{
    return FITS(versions, e, {1, NUMBER, NULL, false}, {2, NUMBER, NULL, false},
                {3, LIST, NULL, false});
}

/* Any subset of the fields of a node; other messages have such fields as well. */
static bool fits_part_of_node(struct span node, struct evidence *e)
{
    return FITS(node, e, {1, BYTES, is_name, false}, {2, BYTES, is_name, false},
                {3, BYTES, NULL, false}, {4, BYTES, NULL, false}, {5, BYTES, NULL, false},
                {6, BYTES, NULL, false}, {7, BYTES, NULL, false});
}

/* True when one of the first fields occurs in graphs only. */
static bool has_part_of_graph(struct span bytes)
{
    struct wire_in in = span_walk(bytes);
    struct wire_field f;

    for (unsigned n = 0; n < LOOK_AT_FIELDS && fits_next(&in, &f); n++) {
        if (f.type != WIRE_LEN || !f.len)
            continue;
        if ((f.number == 1 && fits_node(field_span(&f), NULL)) ||
            (f.number == 2 && fits_library(field_span(&f), NULL)) ||
            (f.number == 4 && fits_versions(field_span(&f), NULL)))
            return true;
    }
    return false;
}

bool fits_graph(struct span bytes, struct evidence *e)
{
    if (!e && has_part_of_graph(bytes) &&
        FITS(bytes, NULL, {1, BYTES, fits_part_of_node, false}, {2, BYTES, fits_library, false},
             {3, NUMBER, NULL, false}, {4, BYTES, fits_versions, false}, {5, BYTES, NULL, false}))
        return true;
    return !is_empty(bytes) &&
           FITS(bytes, e, {1, BYTES, fits_node, false}, {2, BYTES, fits_library, false},
                {3, NUMBER, NULL, false}, {4, BYTES, fits_versions, false},
                {5, BYTES, NULL, false});
}

/* ---- MetaGraphDef and SavedModel */

static bool fits_op_list(struct span ops, struct evidence *e)
{
    return FITS(ops, e, {1, BYTES, fits_signature, false});
}

/* A list of ops, a tag or a version is always present and, unlike a node, does not begin with a
 * name. */
static bool fits_meta_info(struct span info, struct evidence *e)
{
    return FITS(info, e, {1, BYTES, is_name, false}, {2, BYTES, fits_op_list, true},
                {3, BYTES, NULL, false}, {4, BYTES, is_name, false}, {5, BYTES, is_name, false},
                {6, BYTES, is_name, false}, {7, NUMBER, NULL, false}, {8, BYTES, NULL, false});
}

bool fits_meta_graph(struct span bytes, struct evidence *e)
{
    return !is_empty(bytes) &&
           FITS(bytes, e, {1, BYTES, fits_meta_info, true}, {2, BYTES, fits_graph, false},
                {3, BYTES, NULL, false}, {4, BYTES, NULL, false}, {5, BYTES, NULL, false},
                {6, BYTES, NULL, false}, {7, BYTES, NULL, false});
}

bool fits_saved_model(struct span bytes, struct evidence *e)
{
    return FITS(bytes, e, {1, NUMBER, NULL, false}, {2, BYTES, fits_meta_graph, true});
}

/* ---- RunMetadata */

static bool fits_node_stats(struct span stats, struct evidence *e)
{
    return FITS(stats, e, {1, BYTES, NULL, false}, {2, NUMBER, NULL, false}, {3, NUMBER, NULL, false},
                {4, NUMBER, NULL, false}, {5, NUMBER, NULL, false}, {6, BYTES, NULL, false},
                {7, BYTES, NULL, false}, {8, BYTES, NULL, false}, {9, NUMBER, NULL, false},
                {10, NUMBER, NULL, false}, {11, BYTES, NULL, false}, {12, BYTES, NULL, false},
                {13, NUMBER, NULL, false}, {14, NUMBER, NULL, false}, {15, NUMBER, NULL, false},
                {16, NUMBER, NULL, false}, {17, NUMBER, NULL, false});
}

static bool fits_dev_stats(struct span stats, struct evidence *e)
{
    return FITS(stats, e, {1, BYTES, is_name, true}, {2, BYTES, fits_node_stats, false},
                {3, BYTES, NULL, false});
}

static bool fits_step_stats(struct span stats, struct evidence *e)
{
    return FITS(stats, e, {1, BYTES, fits_dev_stats, false});
}

static bool fits_cost_graph(struct span costs, struct evidence *e)
{
    return FITS(costs, e, {1, BYTES, NULL, false}, {2, BYTES, NULL, false});
}

static bool fits_function_graphs(struct span graphs, struct evidence *e)
{
    return FITS(graphs, e, {1, BYTES, NULL, false}, {2, BYTES, NULL, false}, {3, BYTES, NULL, false});
}

bool fits_run_meta(struct span bytes, struct evidence *e)
{
    return !is_empty(bytes) &&
           FITS(bytes, e, {1, BYTES, fits_step_stats, false}, {2, BYTES, fits_cost_graph, false},
                {3, BYTES, fits_graph, false}, {4, BYTES, fits_function_graphs, false},
                {5, BYTES, NULL, false});
}

/* ---- OpLogProto and ProfileProto */

static bool fits_log_entry(struct span entry, struct evidence *e)
{
    return FITS(entry, e, {1, BYTES, is_name, true}, {2, NUMBER, NULL, false},
                {3, BYTES, is_name, false}, {4, BYTES, NULL, false});
}

static bool fits_id_string(struct span entry, struct evidence *e)
{
    return FITS(entry, e, {1, NUMBER, NULL, false}, {2, BYTES, NULL, false});
}

bool fits_op_log(struct span bytes, struct evidence *e)
{
    return !is_empty(bytes) &&
           FITS(bytes, e, {1, BYTES, fits_log_entry, false}, {2, BYTES, fits_id_string, false});
}

static bool fits_profile_node(struct span node, struct evidence *e)
{
    return FITS(node, e, {1, BYTES, is_name, false}, {2, BYTES, NULL, false}, {3, BYTES, NULL, false},
                {4, LIST, NULL, false}, {5, BYTES, NULL, false}, {6, BYTES, NULL, false},
                {7, BYTES, NULL, false}, {8, NUMBER, NULL, false}, {9, BYTES, is_name, true},
                {10, BYTES, NULL, false}, {11, BYTES, NULL, false}, {12, BYTES, NULL, false},
                {13, NUMBER, NULL, false}, {14, BYTES, NULL, false}, {15, BYTES, NULL, false},
                {16, BYTES, NULL, false}, {OWN_NODE_STATE, NUMBER, NULL, false},
                {OWN_NODE_RUN_OUTPUT, BYTES, NULL, false}, {OWN_NODE_SCALAR, LIST, NULL, false},
                {OWN_NODE_INPUT, BYTES, NULL, false});
}

static bool fits_profile_entry(struct span entry, struct evidence *e)
{
    return FITS(entry, e, {1, NUMBER, NULL, false}, {2, BYTES, fits_profile_node, true});
}

/* A profile without nodes is only detected without evidence against it. */
static bool fits_empty_profile(struct span bytes, struct evidence *e)
{
    return FITS(bytes, e, {2, NUMBER, NULL, false}, {3, LIST, NULL, false},
                {4, BYTES, fits_id_string, false}, {5, NUMBER, NULL, false}) &&
           !e->against;
}

bool fits_profile(struct span bytes, struct evidence *e)
{
    struct evidence empty = {0};

    if (e && fits_empty_profile(bytes, &empty)) {
        *e = empty;
        return true;
    }
    return !is_empty(bytes) &&
           FITS(bytes, e, {1, BYTES, fits_profile_entry, true}, {2, NUMBER, NULL, false},
                {3, LIST, NULL, false}, {4, BYTES, fits_id_string, false},
                {5, NUMBER, NULL, false}, {OWN_COUNT_RULES, NUMBER, NULL, false},
                {OWN_CALL_SITE, BYTES, NULL, false}, {OWN_PRODUCER, NUMBER, NULL, false});
}

bool fits_checkpoint(struct span bytes, struct evidence *e)
{
    /* shared and new bytes of the first key, length and first tag of its value: a number in V2, a
     * message in V1 */
    const uint8_t *at = bytes.bytes + 2;
    const uint8_t *end = bytes.bytes + bytes.len;
    uint64_t len;

    return !e && bytes.len > 3 && bytes.bytes[0] == 0 && bytes.bytes[1] == 0 &&
           wire_read_varint(&at, end, &len) && len && at < end && (*at == 0x08 || *at == 0x0a);
}

/* ---- pprof profiles */

/* Names of a type and a unit, as indexes in the string table. */
static bool fits_value_type(struct span type, struct evidence *e)
{
    return FITS(type, e, {1, NUMBER, NULL, true}, {2, NUMBER, NULL, false});
}

static bool fits_sample(struct span sample, struct evidence *e)
{
    return FITS(sample, e, {1, LIST, NULL, false}, {2, LIST, NULL, true}, {3, BYTES, NULL, false});
}

/* True when the first string of the table is empty, or none was read yet. */
static bool first_string_is_empty(struct span bytes)
{
    struct wire_in in = span_walk(bytes);
    struct wire_field f;

    while (fits_next(&in, &f))
        if (f.number == 6)
            return f.type == WIRE_LEN && !f.len;
    return in.at == in.end && bytes.len >= HEAD_OF_PPROF;
}

bool fits_pprof(struct span bytes, struct evidence *e)
{
    return !e && FITS(bytes, NULL, {1, BYTES, fits_value_type, true}, {2, BYTES, fits_sample, false},
                {3, BYTES, NULL, false}, {4, BYTES, NULL, false}, {5, BYTES, NULL, false},
                {6, BYTES, NULL, false}, {7, NUMBER, NULL, false}, {8, NUMBER, NULL, false},
                {9, NUMBER, NULL, false}, {10, NUMBER, NULL, false},
                {11, BYTES, fits_value_type, false}, {12, NUMBER, NULL, false},
                {13, LIST, NULL, false}, {14, NUMBER, NULL, false}, {15, NUMBER, NULL, false}) &&
           first_string_is_empty(bytes);
}

/* ---- messages that no reader supports */

/* Buffers at the peak: number, bytes, bytes so far, share, names of values, text. */
static bool fits_report_entry(struct span entry, struct evidence *e)
{
    return FITS(entry, e, {1, NUMBER, NULL, false}, {2, NUMBER, NULL, true},
                {3, NUMBER, NULL, false}, {4, REAL, NULL, true}, {5, BYTES, is_name, false},
                {6, BYTES, NULL, false});
}

static bool fits_report_of_color(struct span report, struct evidence *e)
{
    return FITS(report, e, {1, NUMBER, NULL, false}, {2, NUMBER, NULL, false},
                {3, BYTES, fits_report_entry, true});
}

static bool fits_memory_report(struct span bytes)
{
    return FITS(bytes, NULL, {1, BYTES, fits_report_of_color, true});
}

const char *fits_other(struct span bytes)
{
    if (fits_memory_report(bytes))
        return "a memory usage report of XLA: not supported";
    return NULL;
}
