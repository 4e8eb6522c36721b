/* loader.c: errors, progress, scratch memory and selected hosts of a load. */
#include "load/loader.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "base/utf8.h"
#include "load/text/text_lexer.h"

enum {
    PACE_ELEMENTS = 1024, /* elements between two checks for cancellation */
    QUOTE_MAX_BYTES = 200,
};

void loader_init(struct loader *l, const struct load_request *request,
                 struct load_progress *progress, struct cancel_mark cancel)
{
    memset(l, 0, sizeof *l);
    l->request = request;
    l->builder = builder_new();
    l->progress = progress;
    l->cancel = cancel;
    EACH(intern_init, &l->run_names.names, &l->run_names.values);
}

void loader_keep(struct loader *l, void *data, void (*free_data)(void *data))
{
    vec_push(&l->parts, ((struct loader_part){data, free_data}));
}

void loader_done(struct loader *l)
{
    for (size_t i = l->parts.n; i-- > 0;)
        l->parts.data[i].free(l->parts.data[i].data);
    vec_done(&l->parts);
    host_choice_done(&l->hosts);
    arena_done(&l->pieces);
    EACH(vec_done, &l->covered, &l->stack_parts, &l->dims, &l->frames, &l->times, &l->run_outputs,
         &l->run_names.node_of_name, &l->run_names.producer_of_value, &l->run_names.first_input);
    idmap_done(&l->strings);
    EACH(intern_done, &l->run_names.names, &l->run_names.values);
}

struct span span_part(struct span message, uint32_t number)
{
    struct span part = {0};

    wire_each_len(f, span_walk(message), number)
        part = field_span(&f);
    return part;
}

struct span span_message(struct span message, uint32_t number, struct arena *pieces)
{
    const struct wire_pieces part = wire_submessage(span_walk(message), number, pieces);

    return (struct span){part.bytes, part.len};
}

bool load_in_input(const struct loader *l, const uint8_t *at)
{
    return at >= l->input.bytes && (l->unpacking || at <= l->input.bytes + l->input.len);
}

bool load_fail(const struct loader *l, const uint8_t *at, struct err *err, const char *format, ...)
{
    struct strbuf cause = {0};
    va_list args;

    va_start(args, format);
    sb_vaddf(&cause, format, args);
    va_end(args);
    if (l->is_text) {
        uint64_t line, column;

        text_position(l->input.bytes, (size_t)l->element_offset, &line, &column);
        err_set(err, ERR_INPUT, "%s:%" PRIu64 ":%" PRIu64 ": %s", l->path, line, column,
                sb_text(&cause));
    } else if (!load_in_input(l, at)) {
        err_set(err, ERR_INPUT, "%s: a message in pieces: %s", l->path, sb_text(&cause));
    } else {
        err_set(err, ERR_INPUT, "%s: offset %td: %s", l->path, at - l->input.bytes,
                sb_text(&cause));
    }
    sb_done(&cause);
    return false;
}

void load_quote(struct strbuf *sb, struct span name)
{
    bool cut = name.len > QUOTE_MAX_BYTES;

    sb_addc(sb, '\'');
    utf8_escape(sb, (const char *)name.bytes, cut ? QUOTE_MAX_BYTES : name.len);
    sb_adds(sb, cut ? "...'" : "'");
}

bool load_ended(const struct loader *l, const struct wire_in *in, const char *where,
                struct err *err)
{
    return !in->why || load_fail(l, in->at, err, "%s: %s", where, in->why);
}

static bool check_utf8(const struct loader *l, struct span name, struct err *err)
{
    uint32_t code;

    for (size_t i = 0, n; i < name.len; i += n) {
        n = utf8_decode((const char *)name.bytes + i, name.len - i, &code);
        if (!n)
            return load_fail(l, name.bytes + i, err, "a name is not UTF-8");
    }
    return true;
}

bool load_fields(const struct loader *l, struct span message, const char *where,
                 const struct field_spec *fields, void *out, struct err *err)
{
    struct wire_in in = span_walk(message);
    struct wire_field f;

    while (wire_next(&in, &f))
        for (const struct field_spec *s = fields; s->kind; s++) {
            void *member = (char *)out + s->offset;

            if (s->number != f.number)
                continue;
            if (s->kind == FIELD_NUMBER && f.type == WIRE_VARINT)
                *(int64_t *)member = (int64_t)f.value;
            if (s->kind == FIELD_NUMBER || f.type != WIRE_LEN)
                continue;
            *(struct span *)member = field_span(&f);
            if (s->kind == FIELD_NAME && !check_utf8(l, field_span(&f), err))
                return false;
        }
    return load_ended(l, &in, where, err);
}

bool load_tick(struct loader *l, const uint8_t *at, struct err *err)
{
    size_t done;

    if (++l->n_elements % PACE_ELEMENTS)
        return true;
    if (cancel_asked(l->cancel))
        return err_set(err, ERR_CANCELLED, "cancelled");
    if (l->progress) {
        done = l->is_text ? (size_t)l->element_offset : (size_t)(at - l->input.bytes);
        atomic_fetch_add(&l->progress->bytes_done, done - l->reported_bytes);
        l->reported_bytes = done;
        atomic_store(&l->progress->n_nodes, builder_n_nodes(l->builder));
    }
    return true;
}

bool load_cancelled(const struct loader *l, size_t n_done, struct err *err)
{
    enum { BETWEEN_LOOKS = 1 << 12 };

    return n_done % BETWEEN_LOOKS == 0 && cancel_asked(l->cancel) &&
           !err_set(err, ERR_CANCELLED, "cancelled");
}

bool load_map_entry(const struct loader *l, struct span message, struct arena *pieces,
                    struct map_entry *entry, struct err *err)
{
    struct wire_in in = span_walk(message);
    struct wire_pieces value = {0};
    struct wire_field f;

    *entry = (struct map_entry){.key_span = {message.bytes, 0}, .value_span = {message.bytes, 0}};
    while (wire_next(&in, &f)) {
        if (f.number > 2)
            continue;
        if (f.type == WIRE_VARINT)
            *(f.number == 1 ? &entry->key : &entry->value) = (int64_t)f.value;
        else if (f.type == WIRE_LEN && f.number == 2 && pieces)
            wire_pieces_add(&value, f.bytes, f.len, pieces);
        else if (f.type == WIRE_LEN)
            *(f.number == 1 ? &entry->key_span : &entry->value_span) = field_span(&f);
    }
    if (value.bytes)
        entry->value_span = (struct span){value.bytes, value.len};
    return load_ended(l, &in, "map entry", err);
}

bool load_numbers(const struct loader *l, const struct wire_field *f, dim_list *numbers,
                  struct err *err)
{
    const uint8_t *at = NULL;
    uint64_t value;

    while (wire_next_number(f, WIRE_VARINT, &at, &value))
        vec_push(numbers, (int64_t)value);
    return f->type != WIRE_LEN || at == f->bytes + f->len ||
           load_fail(l, at ? at : f->bytes, err, "truncated or overlong number in a list");
}

node_id run_node_named(const struct run_names *names, const void *name, size_t len)
{
    const strid id = intern_find(&names->names, name, len);

    return id == STRID_NONE || id == STRID_EMPTY ? NODE_NONE : names->node_of_name.data[id - 1];
}

node_id run_producer_of(const struct run_names *names, struct span value)
{
    const strid id = value.len ? intern_find(&names->values, value.bytes, value.len) : STRID_NONE;

    return id == STRID_NONE || id == STRID_EMPTY ? NODE_NONE : names->producer_of_value.data[id - 1];
}

static const char option[] = "host_regexes";

bool host_choice_init(struct host_choice *choice, const char *list, struct err *err)
{
    memset(choice, 0, sizeof *choice);
    intern_init(&choice->names);
    choice->regexes = regexes_new(list, err);
    if (!choice->regexes) {
        err_prefix(err, "-%s", option);
        return false;
    }
    if (regexes_is_wildcard(choice->regexes)) {
        regexes_free(choice->regexes);
        choice->regexes = NULL;
    }
    return true;
}

void host_choice_done(struct host_choice *choice)
{
    regexes_free(choice->regexes);
    intern_done(&choice->names);
    vec_done(&choice->is_wanted);
}

bool host_is_wanted(struct host_choice *choice, struct text name)
{
    strid id;

    if (!choice->regexes)
        return true;
    id = intern_put(&choice->names, name.bytes, name.len);
    if (id >= choice->is_wanted.n)
        vec_resize_zero(&choice->is_wanted, (size_t)id + 1);
    if (!choice->is_wanted.data[id])
        choice->is_wanted.data[id] =
            regexes_match(choice->regexes, name.bytes, name.len) < 0 ? 1 : 2;
    return choice->is_wanted.data[id] == 2;
}

/* Appends the first few names, separated by commas. */
static void list_names(const struct host_choice *choice, size_t n_names, struct strbuf *sb)
{
    enum { LISTED_MAX = 8 };
    size_t n_listed = 0;

    for (strid id = 0; id < choice->is_wanted.n && n_listed < LISTED_MAX; id++) {
        const struct text name = intern_string(&choice->names, id);

        if (!choice->is_wanted.data[id])
            continue;
        sb_adds(sb, n_listed++ ? ", " : "");
        utf8_escape(sb, name.bytes, name.len);
        sb_adds(sb, name.len ? "" : "(no name)");
    }
    if (n_names > n_listed)
        sb_addf(sb, " and %zu more", n_names - n_listed);
}

bool host_choice_check(const struct host_choice *choice, struct notes *notes, struct err *err)
{
    struct strbuf names = {0};
    size_t n_names = 0, n_wanted = 0;

    if (!choice->regexes)
        return true;
    for (size_t i = 0; i < choice->is_wanted.n; i++) {
        n_names += choice->is_wanted.data[i] != 0;
        n_wanted += choice->is_wanted.data[i] == 2;
    }
    regexes_note_undecided(choice->regexes, option, n_names, notes);
    if (!n_names)
        note_add(notes, "-%s: no effect: it selects hosts of captures and digests, and ranks "
                        "of traces (-device_regexes selects devices)", option);
    else if (n_wanted)
        note_add(notes, "-%s: %zu of %zu host%s", option, n_wanted, n_names, n_names == 1 ? "" : "s");
    if (!n_names || n_wanted)
        return true;
    list_names(choice, n_names, &names);
    err_set(err, ERR_INPUT, "-%s: matches no host; available: %s", option, sb_text(&names));
    sb_done(&names);
    return false;
}
