/* pprof_tables.c: reads the tables that samples refer to (formats-pprof.md section 2). */
#include <stdlib.h>
#include <string.h>

#include "load/pprof/pprof.h"

enum { SAMPLE_TYPE = 1, LOCATION = 4, FUNCTION = 5, STRING = 6, DEFAULT_TYPE = 14 };

bool pprof_string(struct pprof_read *r, uint64_t index, const uint8_t *at, struct text *text,
                  struct err *err)
{
    if (index >= r->strings.n)
        return load_fail(r->l, at, err, "string %llu of %zu", (unsigned long long)index, r->strings.n);
    *text = (struct text){(const char *)r->strings.data[index].bytes,
                          (uint32_t)r->strings.data[index].len};
    return true;
}

static bool read_string(struct pprof_read *r, uint64_t index, const uint8_t *at, strid *id,
                        struct err *err)
{
    struct text text = {"", 0};

    if (!pprof_string(r, index, at, &text, err))
        return false;
    *id = builder_str(r->builder, text.bytes, text.len);
    return true;
}

static bool read_type(struct pprof_read *r, const struct wire_field *message, struct err *err)
{
    uint64_t index[3] = {0}; /* 1 type, 2 unit */
    struct value_type t = {.total = 0};

    if (!load_varints(r->l, field_span(message), "sample type", index, 3, err) ||
        !read_string(r, index[1], message->start, &t.type, err) ||
        !read_string(r, index[2], message->start, &t.unit, err))
        return false;
    vec_push(&r->types, t);
    return true;
}

static bool read_function(struct pprof_read *r, const struct wire_field *message, struct err *err)
{
    static const char unknown[] = "(unknown)";
    uint64_t parts[5] = {0}; /* 1 id, 2 name, 3 system name, 4 file */
    struct pprof_function function;
    struct text name = {"", 0};

    if (!load_varints(r->l, field_span(message), "function", parts, 5, err) ||
        !pprof_string(r, parts[2], message->start, &name, err) ||
        (!name.len && !pprof_string(r, parts[3], message->start, &name, err)) ||
        !read_string(r, parts[4], message->start, &function.file, err))
        return false;
    if (!name.len)
        name = (struct text){unknown, sizeof unknown - 1};
    function.name = builder_str(r->builder, name.bytes, name.len);
    idmap_put(&r->function_of_id, (int64_t)parts[1], (uint32_t)r->functions.n, 0);
    vec_push(&r->functions, function);
    return true;
}

static bool read_line(struct pprof_read *r, const struct wire_field *message, struct err *err)
{
    uint64_t numbers[3] = {0}; /* 1 function, 2 line */
    struct pprof_line line = {.function = UINT32_MAX};

    if (!load_varints(r->l, field_span(message), "line", numbers, 3, err))
        return false;
    line.line = numbers[2] > INT32_MAX ? 0 : (int32_t)numbers[2];
    if (numbers[1] &&
        (line.function = idmap_get(&r->function_of_id, (int64_t)numbers[1])) == IDMAP_NONE)
        return load_fail(r->l, message->start, err, "no function has the id %llu",
                         (unsigned long long)numbers[1]);
    vec_push(&r->lines, line);
    return true;
}

static bool read_location(struct pprof_read *r, const struct wire_field *message, struct err *err)
{
    struct wire_in in = wire_in_field(message);
    struct wire_field f;
    struct pprof_location location = {.first = (uint32_t)r->lines.n};
    uint64_t id = 0;

    while (wire_next(&in, &f)) {
        if (f.type == WIRE_VARINT && f.number == 1)
            id = f.value;
        if (f.type == WIRE_VARINT && f.number == 3)
            location.address = f.value;
        if (f.type == WIRE_LEN && f.number == 4 && !read_line(r, &f, err))
            return false;
    }
    if (!load_ended(r->l, &in, "location", err))
        return false;
    location.n = (uint32_t)r->lines.n - location.first;
    idmap_put(&r->location_of_id, (int64_t)id, (uint32_t)r->locations.n, 0);
    vec_push(&r->locations, location);
    return true;
}

/* Calls READ for each message in field NUMBER. */
static bool for_each_message(struct pprof_read *r, uint32_t number,
                 bool (*read)(struct pprof_read *, const struct wire_field *, struct err *),
                 struct err *err)
{
    struct wire_in in = span_walk(r->l->input);
    struct wire_field f;

    while (wire_next_len(&in, &f, number))
        if (!load_tick(r->l, f.start, err) || !read(r, &f, err))
            return false;
    return load_ended(r->l, &in, "profile", err);
}

static bool add_string(struct pprof_read *r, const struct wire_field *f, struct err *err)
{
    if (f->len > UINT32_MAX)
        return load_fail(r->l, f->start, err, "a string of more than 4 GB");
    vec_push(&r->strings, field_span(f));
    return true;
}

/* ---- sample types */

static bool is_word(const struct pprof_read *r, strid id, const char *word)
{
    return strcmp(profile_text(builder_profile(r->builder), id), word) == 0;
}

/* The first sample type with one of N NAMES, in the order of NAMES; -1 if none. */
static int32_t type_named(const struct pprof_read *r, const char *const *names, size_t n)
{
    for (size_t k = 0; k < n; k++)
        for (size_t i = 0; i < r->types.n; i++)
            if (is_word(r, r->types.data[i].type, names[k]))
                return (int32_t)i;
    return -1;
}

static int32_t type_of_unit(const struct pprof_read *r, const char *unit)
{
    for (size_t i = 0; i < r->types.n; i++)
        if (is_word(r, r->types.data[i].unit, unit))
            return (int32_t)i;
    return -1;
}

static void find_time(struct pprof_read *r)
{
    static const struct {
        const char *unit;
        int64_t ns;
    } units[] = {{"nanoseconds", 1}, {"microseconds", 1000}, {"milliseconds", 1000000},
                 {"seconds", 1000000000}};

    r->timed = -1;
    for (size_t i = 0; i < r->types.n && r->timed < 0; i++)
        for (size_t k = 0; k < sizeof units / sizeof *units; k++)
            if (is_word(r, r->types.data[i].unit, units[k].unit)) {
                r->timed = (int32_t)i;
                r->ticks_per_value = units[k].ns;
            }
}

/* Finds the default sample type: the one that the profile names, else the last. */
static bool find_standard(struct pprof_read *r, struct err *err)
{
    struct text name = {"", 0};

    r->standard = (int32_t)r->types.n - 1;
    if (!r->default_type)
        return true;
    if (!pprof_string(r, (uint64_t)r->default_type, r->l->input.bytes, &name, err))
        return false;
    for (size_t i = 0; i < r->types.n; i++)
        if (r->types.data[i].type == builder_str(r->builder, name.bytes, name.len)) {
            r->standard = (int32_t)i;
            break;
        }
    return true;
}

/* Finds the type that -sample_index selects by name or position; false with ERR. */
static bool select_type(struct pprof_read *r, struct err *err)
{
    const char *wanted = r->l->request->options->sample_index;
    char *end;
    unsigned long long number;

    r->selected = r->standard;
    if (!wanted || (r->selected = type_named(r, &wanted, 1)) >= 0)
        return true;
    number = strtoull(wanted, &end, 10);
    if (*wanted >= '0' && *wanted <= '9' && !*end && number < r->types.n) {
        r->selected = (int32_t)number;
        return true;
    }
    return err_set(err, ERR_USAGE, "-sample_index: %s has no sample type '%s'", r->l->path, wanted);
}

static bool choose_types(struct pprof_read *r, struct err *err)
{
    static const char *const live[] = {"inuse_space", "space"}, *const all[] = {"alloc_space"};
    static const char *const counts[] = {"samples", "allocations", "alloc_objects"};

    r->live = type_named(r, live, 2);
    if (r->live < 0)
        r->live = type_of_unit(r, "bytes");
    r->allocated = type_named(r, all, 1);
    r->counted = type_named(r, counts, 3);
    if (r->counted < 0)
        r->counted = type_of_unit(r, "count");
    find_time(r);
    return find_standard(r, err) && select_type(r, err);
}

bool pprof_tables(struct pprof_read *r, struct err *err)
{
    wire_each(f, span_walk(r->l->input))
        if (f.number == DEFAULT_TYPE && f.type == WIRE_VARINT)
            r->default_type = (int64_t)f.value;
    return for_each_message(r, STRING, add_string, err) && for_each_message(r, SAMPLE_TYPE, read_type, err) &&
           for_each_message(r, FUNCTION, read_function, err) && for_each_message(r, LOCATION, read_location, err) &&
           choose_types(r, err);
}

void pprof_tables_done(struct pprof_read *r)
{
    EACH(vec_done, &r->strings, &r->functions, &r->locations, &r->lines, &r->types);
    EACH(idmap_done, &r->function_of_id, &r->location_of_id);
}
