/* proto_lines.c: converts a message on standard input to lines that can be sorted and compared.
 *
 *     proto_lines node | rows | advice     one of the results of -output proto
 *     proto_lines pprof                    a pprof profile, decompressed
 *
 * A result is written field by field, each with the path of its message; zeros, which are optional
 * in messages, are omitted.  In a pprof profile every id is replaced by its contents, because ids
 * have no meaning by themselves. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/strbuf.h"
#include "base/utf8.h"
#include "base/vec.h"
#include "base/wire_in.h"

enum { MAX_DEPTH = 1000, MAX_FIELD = 32, MAX_ID = 1 << 24 };

static void bad(const char *what)
{
    fprintf(stderr, "proto_lines: %s\n", what);
    exit(1);
}

static void need_end(const struct wire_in *in)
{
    if (in->why)
        bad(in->why);
}

/* ---- results */

/* The type of a field; fields without a name are numbers and texts. */
struct inside {
    const char *name;
    const struct inside *fields; /* [MAX_FIELD], of a message */
    enum { TEXT, MESSAGE, MAP, INTEGERS, DOUBLES } kind;
};

static const struct inside dimension[MAX_FIELD] = {{0}};
static const struct inside shape[MAX_FIELD] = {[2] = {"dim", dimension, MESSAGE}};
static const struct inside shape_entry[MAX_FIELD] = {[2] = {"value", shape, MESSAGE}};
static const struct inside tensor[MAX_FIELD] = {
    [2] = {"value_double", NULL, DOUBLES},
    [3] = {"value_int64", NULL, INTEGERS},
};
static const struct inside node[MAX_FIELD] = {
    [11] = {"shapes", shape, MESSAGE},
    [12] = {"children", node, MESSAGE},
    [15] = {"tensor_value", tensor, MESSAGE},
    [16] = {"input_shapes", shape_entry, MAP},
};
static const struct inside row[MAX_FIELD] = {
    [10] = {"graph_nodes", node, MESSAGE},
    [11] = {"children", row, MESSAGE},
};
static const struct inside checker[MAX_FIELD] = {{0}};
static const struct inside checker_entry[MAX_FIELD] = {[2] = {"value", checker, MESSAGE}};
static const struct inside advice[MAX_FIELD] = {[1] = {"checkers", checker_entry, MAP}};

static void print_numbers(const struct wire_field *f, enum wire_type type, const char *place)
{
    const uint8_t *at = NULL;
    uint64_t value;

    for (size_t i = 0; wire_next_number(f, type, &at, &value); i++)
        printf("%s[%zu] = %" PRId64 "\n", place, i, (int64_t)value);
}

static void print_text(const struct wire_field *f, const char *place)
{
    struct strbuf text = {0};

    utf8_escape(&text, (const char *)f->bytes, f->len);
    printf("%s = \"%s\"\n", place, sb_text(&text));
    sb_done(&text);
}

/* Entries of a map are identified by their keys, because their order is not defined. */
static void add_key(struct strbuf *place, const struct wire_field *entry)
{
    struct wire_in in = wire_in_field(entry);
    struct wire_field f;
    uint64_t number = 0;

    sb_addc(place, '{');
    while (wire_next(&in, &f)) {
        if (f.number == 1 && f.type == WIRE_LEN)
            utf8_escape(place, (const char *)f.bytes, f.len);
        else if (f.number == 1)
            number = f.value;
    }
    sb_addf(place, "%" PRIu64 "}", number);
}

/* Recursion is bounded by MAX_DEPTH. */
static void print_message(struct wire_in in, const struct inside *fields, struct strbuf *place,
                          int depth)
{
    size_t seen[MAX_FIELD] = {0}, start = place->len;
    struct wire_field f;

    if (depth > MAX_DEPTH)
        bad("nested too deep");
    while (wire_next(&in, &f)) {
        const struct inside *inside = &fields[f.number < MAX_FIELD ? f.number : 0];

        if (inside->name)
            sb_addf(place, ".%s", inside->name);
        else
            sb_addf(place, ".%" PRIu32, f.number);
        if (inside->kind == MAP)
            add_key(place, &f);
        else if (f.type == WIRE_LEN && f.number < MAX_FIELD)
            sb_addf(place, "[%zu]", seen[f.number]++);
        if (inside->kind == INTEGERS)
            print_numbers(&f, WIRE_VARINT, sb_text(place));
        else if (inside->kind == DOUBLES)
            print_numbers(&f, WIRE_I64, sb_text(place));
        else if (f.type == WIRE_LEN && inside->fields)
            print_message(wire_in_field(&f), inside->fields, place, depth + 1);
        else if (f.type == WIRE_LEN)
            print_text(&f, sb_text(place));
        else if (f.value)
            printf("%s = %" PRId64 "\n", sb_text(place), (int64_t)f.value);
        sb_truncate(place, start);
    }
    need_end(&in);
}

static void print_result(struct wire_in in, const struct inside *fields)
{
    struct strbuf place = {0};

    print_message(in, fields, &place, 0);
    sb_done(&place);
}

/* ---- pprof: fields as in section 5 of formats-tfprof.md */

struct pprof {
    VEC(struct wire_field) texts;
    VEC(struct wire_field) locations, functions; /* by id */
};

static uint64_t number_of(const struct wire_field *message, uint32_t number)
{
    struct wire_in in = wire_in_field(message);
    struct wire_field f;
    uint64_t value = 0;

    while (wire_next(&in, &f)) {
        if (f.number == number && f.type == WIRE_VARINT)
            value = f.value;
    }
    need_end(&in);
    return value;
}

static void add_text(struct strbuf *out, const struct pprof *p, uint64_t index)
{
    if (index >= p->texts.n)
        bad("a text is missing");
    sb_addc(out, '\'');
    utf8_escape(out, (const char *)p->texts.data[index].bytes, p->texts.data[index].len);
    sb_addc(out, '\'');
}

static void add_function(struct strbuf *out, const struct pprof *p, uint64_t id)
{
    const struct wire_field *f = id < p->functions.n ? &p->functions.data[id] : NULL;

    if (!f || !f->start)
        bad("a function is missing");
    add_text(out, p, number_of(f, 2));
    sb_addc(out, '@');
    add_text(out, p, number_of(f, 4));
    sb_addf(out, ":%" PRId64, (int64_t)number_of(f, 5));
}

static void add_location(struct strbuf *out, const struct pprof *p, uint64_t id)
{
    const struct wire_field *location = id < p->locations.n ? &p->locations.data[id] : NULL;
    struct wire_in in;
    struct wire_field f;

    if (!location || !location->start)
        bad("a location is missing");
    in = wire_in_field(location);
    while (wire_next(&in, &f)) {
        if (f.number != 4 || f.type != WIRE_LEN)
            continue;
        sb_addc(out, ' ');
        add_function(out, p, number_of(&f, 1));
        sb_addf(out, " line %" PRId64, (int64_t)number_of(&f, 2));
    }
    need_end(&in);
}

static int by_text(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

static void add_labels(struct strbuf *out, const struct pprof *p, const struct wire_field *sample)
{
    struct wire_in in = wire_in_field(sample);
    VEC(char *) labels = {0};
    struct wire_field f;

    while (wire_next(&in, &f)) {
        struct strbuf label = {0};

        if (f.number != 3 || f.type != WIRE_LEN)
            continue;
        sb_adds(&label, " label ");
        add_text(&label, p, number_of(&f, 1));
        add_text(&label, p, number_of(&f, 2));
        sb_addf(&label, "%" PRIu64, number_of(&f, 3));
        vec_push(&labels, sb_take(&label));
    }
    if (labels.n)
        qsort(labels.data, labels.n, sizeof *labels.data, by_text);
    for (size_t i = 0; i < labels.n; i++) {
        sb_adds(out, labels.data[i]);
        free(labels.data[i]);
    }
    vec_done(&labels);
}

static void add_sample(struct strbuf *out, const struct pprof *p, const struct wire_field *sample)
{
    struct wire_in in = wire_in_field(sample);
    struct wire_field f;

    while (wire_next(&in, &f)) {
        const uint8_t *at = NULL;
        uint64_t value;

        while ((f.number == 1 || f.number == 2) && wire_next_number(&f, WIRE_VARINT, &at, &value)) {
            if (f.number == 1)
                add_location(out, p, value);
            else
                sb_addf(out, " value %" PRId64, (int64_t)value);
        }
    }
    add_labels(out, p, sample);
}

static void add_type(struct strbuf *out, const struct pprof *p, const struct wire_field *type)
{
    sb_addc(out, ' ');
    add_text(out, p, number_of(type, 1));
    add_text(out, p, number_of(type, 2));
}

static void add_whole_function(struct strbuf *out, const struct pprof *p,
                               const struct wire_field *function)
{
    add_function(out, p, number_of(function, 1));
}

static void add_whole_location(struct strbuf *out, const struct pprof *p,
                               const struct wire_field *location)
{
    add_location(out, p, number_of(location, 1));
}

static const struct {
    const char *name;
    void (*add)(struct strbuf *out, const struct pprof *p, const struct wire_field *f);
} pprof_fields[] = {
    [1] = {"type", add_type},
    [2] = {"sample", add_sample},
    [4] = {"location", add_whole_location},
    [5] = {"function", add_whole_function},
};

static void print_pprof_field(const struct pprof *p, const struct wire_field *f)
{
    struct strbuf line = {0};
    const uint8_t *at = NULL;
    uint64_t value;

    if (f->number == 13) {
        while (wire_next_number(f, WIRE_VARINT, &at, &value))
            add_text(&line, p, value);
        printf("comment %s\n", sb_text(&line));
    } else if (f->number < sizeof pprof_fields / sizeof *pprof_fields && pprof_fields[f->number].add) {
        pprof_fields[f->number].add(&line, p, f);
        printf("%s %s\n", pprof_fields[f->number].name, sb_text(&line));
    } else if (f->number != 6) {
        bad("a field that no answer has");
    }
    sb_done(&line);
}

static void print_pprof(struct wire_in whole)
{
    struct wire_in in = whole;
    struct pprof p = {0};
    struct wire_field f;

    while (wire_next(&in, &f)) {
        uint64_t id = f.number == 4 || f.number == 5 ? number_of(&f, 1) : 0;

        if (id > MAX_ID)
            bad("an id is too large");
        if (f.number == 6) {
            vec_push(&p.texts, f);
        } else if (f.number == 4) {
            if (id >= p.locations.n)
                vec_resize_zero(&p.locations, id + 1);
            p.locations.data[id] = f;
        } else if (f.number == 5) {
            if (id >= p.functions.n)
                vec_resize_zero(&p.functions, id + 1);
            p.functions.data[id] = f;
        }
    }
    need_end(&in);
    in = whole;
    while (wire_next(&in, &f))
        print_pprof_field(&p, &f);
    vec_done(&p.texts);
    vec_done(&p.locations);
    vec_done(&p.functions);
}

int main(int argc, char **argv)
{
    const char *mode = argc == 2 ? argv[1] : "";
    struct strbuf text = {0};
    char block[65536];
    struct wire_in in;
    size_t n;

    while ((n = fread(block, 1, sizeof block, stdin)) > 0)
        sb_add(&text, block, n);
    in = wire_in_of(sb_text(&text), text.len);
    if (strcmp(mode, "node") == 0)
        print_result(in, node);
    else if (strcmp(mode, "rows") == 0)
        print_result(in, row);
    else if (strcmp(mode, "advice") == 0)
        print_result(in, advice);
    else if (strcmp(mode, "pprof") == 0)
        print_pprof(in);
    else
        bad("node, rows, advice or pprof");
    sb_done(&text);
    return 0;
}
