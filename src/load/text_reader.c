/* text_reader.c: the protobuf text format of any message, turned into wire
 * bytes element by element.
 *
 * Nothing recurses: open messages stand in an array of frames.  The length of
 * a nested message is put before it when it ends. */
#include "load/text_reader.h"

#include <limits.h>
#include <string.h>

#include "base/wire_out.h"
#include "load/text_lexer.h"
#include "load/text_scalar.h"

/* A message that is open. */
struct frame {
    const ProtobufCMessageDescriptor *message; /* NULL: not known or not wanted */
    const ProtobufCFieldDescriptor *field;     /* that holds it; NULL at the top */
    const ProtobufCFieldDescriptor *packed;    /* whose chunk is open at packed_at */
    const ProtobufCFieldDescriptor *recent;    /* the field met last, the next is near */
    size_t packed_at; /* wire_begin() of that chunk */
    size_t begin;     /* wire_begin() of the message */
    size_t offset;    /* of its text */
    char close;       /* its closing bracket; 0 at the top */
    bool in_list;
    bool is_container;
};

struct reader {
    const struct text_source *source;
    text_handler *handler;
    void *context;
    struct err *err;
    struct text_lexer lexer;
    struct strbuf out; /* the element under construction */
    struct frame frames[TEXT_MAX_DEPTH + 1];
    unsigned depth; /* frames[depth] is the innermost */
    uint64_t n_unknown_enums;
    const uint8_t *first_unknown_enum;
    size_t first_unknown_enum_len;
};

/* ---- errors */

static bool fail_at(struct reader *r, const uint8_t *where, const char *cause)
{
    uint64_t line, column;

    text_place(r->source->text, (size_t)(where - r->source->text), &line, &column);
    return err_set(r->err, ERR_INPUT, "%s:%llu:%llu: %s", r->source->path,
                   (unsigned long long)line, (unsigned long long)column, cause);
}

static void describe_token(struct strbuf *sb, const struct text_token *t)
{
    static const size_t longest = 40;
    const int len = (int)(t->len < longest ? t->len : longest);

    if (t->kind == TOKEN_END)
        sb_adds(sb, "the end of the file");
    else if (t->kind == TOKEN_STRING)
        sb_addf(sb, "the string \"%.*s%s\"", len, (const char *)t->begin,
                t->len > longest ? "..." : "");
    else
        sb_addf(sb, "'%.*s%s'", len, (const char *)t->begin, t->len > longest ? "..." : "");
}

/* "expected WHAT for `name`, found TOKEN" at the current token. */
static bool fail_expected(struct reader *r, const char *what, const char *preposition,
                          const char *name)
{
    const struct text_token *t = &r->lexer.token;
    struct strbuf sb = {0};

    if (t->kind == TOKEN_BAD) {
        sb_adds(&sb, r->lexer.problem);
    } else {
        sb_addf(&sb, "expected %s%s%s, found ", what, preposition, name);
        describe_token(&sb, t);
    }
    fail_at(r, t->kind == TOKEN_STRING ? t->begin - 1 : t->begin, sb_text(&sb));
    sb_done(&sb);
    return false;
}

/* ---- fields */

static bool name_is(const ProtobufCFieldDescriptor *field, const char *name, size_t len)
{
    return strncmp(field->name, name, len) == 0 && field->name[len] == '\0';
}

/* Names that numbers had in older schemas (formats-runmeta, MemoryStats). */
static const struct {
    const char *message, *old_name;
    uint32_t id;
} old_fields[] = {
    {"MemoryStats", "host_temp_memory_size", 1},
    {"MemoryStats", "host_persistent_memory_size", 3},
    {"MemoryStats", "host_persistent_tensor_alloc_ids", 5},
};

static const ProtobufCFieldDescriptor *find_old_field(const ProtobufCMessageDescriptor *message,
                                                      const char *name, size_t len)
{
    for (size_t i = 0; i < sizeof old_fields / sizeof *old_fields; i++)
        if (strcmp(message->short_name, old_fields[i].message) == 0 &&
            strlen(old_fields[i].old_name) == len &&
            memcmp(old_fields[i].old_name, name, len) == 0)
            return protobuf_c_message_descriptor_get_field(message, old_fields[i].id);
    return NULL;
}

const ProtobufCFieldDescriptor *text_find_field(const ProtobufCMessageDescriptor *message,
                                                const char *name, size_t len)
{
    unsigned low = 0;
    unsigned high = message->n_fields;

    while (low < high) {
        unsigned middle = low + (high - low) / 2;
        const ProtobufCFieldDescriptor *field =
            &message->fields[message->fields_sorted_by_name[middle]];
        int order = strncmp(field->name, name, len);

        if (order == 0 && field->name[len] == '\0')
            return field;
        if (order < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return find_old_field(message, name, len);
}

/* The field that the current token names: mostly the one before or the next. */
static const ProtobufCFieldDescriptor *find_near(struct frame *f, const struct text_token *t)
{
    const ProtobufCFieldDescriptor *end = f->message->fields + f->message->n_fields;
    const ProtobufCFieldDescriptor *near = f->recent ? f->recent : f->message->fields;
    const char *name = (const char *)t->begin;

    for (unsigned tries = 0; tries < 3 && near < end; tries++, near++)
        if (name_is(near, name, t->len))
            return f->recent = near;
    near = text_find_field(f->message, name, t->len);
    if (near)
        f->recent = near;
    return near;
}

static bool is_listed(const void *const *list, const void *wanted)
{
    for (; list && *list; list++)
        if (*list == wanted)
            return true;
    return false;
}

/* ---- delivering */

static bool deliver(struct reader *r, enum text_event event, const struct frame *parent,
                    const ProtobufCFieldDescriptor *field, size_t offset, size_t end)
{
    struct text_element e = {
        .event = event,
        .parent = parent->message,
        .field = field,
        .wire = (const uint8_t *)sb_text(&r->out),
        .wire_len = event == TEXT_ELEMENT ? r->out.len : 0,
        .offset = offset,
        .len_bytes = end - offset,
    };

    r->out.len = 0;
    if (cancel_asked(r->source->cancel))
        return err_set(r->err, ERR_CANCELLED, "cancelled");
    return r->handler(r->context, &e, r->err);
}

/* ---- scalars */

static void note_unknown_enum(struct reader *r, const struct text_token *t)
{
    if (!r->n_unknown_enums++) {
        r->first_unknown_enum = t->begin;
        r->first_unknown_enum_len = t->len;
    }
}

/* All adjacent strings as one value behind the output. */
static bool read_strings(struct reader *r)
{
    struct text_lexer *lx = &r->lexer;

    while (lx->token.kind == TOKEN_STRING) {
        size_t bad;
        size_t n = lx->token.len;
        uint8_t *to = (uint8_t *)sb_reserve(&r->out, n);

        if (!lx->token.has_escapes) {
            memcpy(to, lx->token.begin, n);
        } else {
            n = text_unescape(lx->token.begin, n, to, &bad);
            if (n == SIZE_MAX)
                return fail_at(r, lx->token.begin + bad, "an escape that is none in a string");
        }
        r->out.len += n;
        text_lexer_next(lx);
    }
    return true;
}

/* Puts the length before what was written since BEGIN = wire_begin(). */
static bool end_length(struct reader *r, size_t begin)
{
    if (r->out.len - begin > INT_MAX)
        return fail_at(r, r->lexer.token.begin, "a value of more than 2 GiB");
    wire_end(&r->out, begin);
    return true;
}

/* Passes over [-] and one number or name, or strings; false when there is none. */
static bool skip_scalar(struct text_lexer *lx)
{
    if (lx->token.kind == TOKEN_STRING) {
        while (lx->token.kind == TOKEN_STRING)
            text_lexer_next(lx);
        return true;
    }
    if (text_token_is(&lx->token, '-'))
        text_lexer_next(lx);
    if (lx->token.kind != TOKEN_INT && lx->token.kind != TOKEN_FLOAT &&
        lx->token.kind != TOKEN_NAME)
        return false;
    text_lexer_next(lx);
    return true;
}

/* Closes the packed chunk that is open in F, if any. */
static bool end_packed(struct reader *r, struct frame *f)
{
    if (!f->packed)
        return true;
    f->packed = NULL;
    return end_length(r, f->packed_at);
}

/* Before a number of FIELD: its tag; those of a repeated field join one
 * packed chunk. */
static bool begin_number(struct reader *r, struct frame *f, const ProtobufCFieldDescriptor *field)
{
    if (f->packed == field)
        return true;
    if (!end_packed(r, f))
        return false;
    if (field->label == PROTOBUF_C_LABEL_REPEATED) {
        f->packed = field;
        f->packed_at = wire_begin(&r->out, field->id);
    } else {
        wire_tag(&r->out, field->id, text_wire_type(field->type));
    }
    return true;
}

static bool read_string_value(struct reader *r, struct frame *f,
                              const ProtobufCFieldDescriptor *field)
{
    size_t begin = 0;

    if (r->lexer.token.kind != TOKEN_STRING)
        return fail_expected(r, "a string", " for ", field->name);
    if (f->is_container)
        return read_strings(r);
    if (!end_packed(r, f))
        return false;
    begin = wire_begin(&r->out, field->id);
    return read_strings(r) && end_length(r, begin);
}

static bool read_number_value(struct reader *r, const ProtobufCFieldDescriptor *field,
                              struct text_scalar *value)
{
    struct text_lexer *lx = &r->lexer;
    struct text_token t;
    const uint8_t *begin = lx->token.begin;
    bool negative = text_token_is(&lx->token, '-');

    if (negative)
        text_lexer_next(lx);
    t = lx->token;
    switch (text_scalar_parse(&t, negative, field, value)) {
    case TEXT_SCALAR_OK:
        break;
    case TEXT_SCALAR_UNKNOWN_ENUM:
        note_unknown_enum(r, &t);
        break;
    case TEXT_SCALAR_RANGE:
        return fail_at(r, begin, "a number out of range for its field");
    case TEXT_SCALAR_KIND:
        return fail_expected(r, text_scalar_wanted(field->type), " for ", field->name);
    }
    text_lexer_next(lx);
    return true;
}

/* One value of a scalar field that F's message knows. */
static bool read_scalar(struct reader *r, struct frame *f, const ProtobufCFieldDescriptor *field)
{
    const size_t offset = (size_t)(r->lexer.token.begin - r->source->text);
    struct text_scalar value;

    if (text_wire_type(field->type) == WIRE_LEN) {
        if (!read_string_value(r, f, field))
            return false;
    } else {
        if (!read_number_value(r, field, &value))
            return false;
        if (value.is_dropped)
            return true;
        if (!f->is_container && !begin_number(r, f, field))
            return false;
        text_scalar_write(&r->out, field->type, value.bits);
    }
    if (f->is_container)
        return deliver(r, TEXT_ELEMENT, f, field, offset,
                       (size_t)(r->lexer.token.begin - r->source->text));
    return true;
}

/* ---- messages */

static char closing_bracket(const struct text_token *t)
{
    if (text_token_is(t, '{'))
        return '}';
    return text_token_is(t, '<') ? '>' : '\0';
}

/* Opens the message at the current token; FIELD is NULL when it is not known
 * or not wanted. */
static bool open_message(struct reader *r, const ProtobufCFieldDescriptor *field, bool in_list)
{
    struct frame *parent = &r->frames[r->depth];
    struct frame *f = parent + 1;

    if (r->depth == TEXT_MAX_DEPTH)
        return fail_at(r, r->lexer.token.begin, "messages more than 100 levels deep");
    *f = (struct frame){
        .field = field,
        .message = field ? field->descriptor : NULL,
        .close = closing_bracket(&r->lexer.token),
        .in_list = in_list,
        .offset = (size_t)(r->lexer.at - r->source->text),
    };
    f->is_container = field && parent->is_container &&
                      is_listed((const void *const *)r->source->containers, f->message);
    if (f->is_container) {
        if (!deliver(r, TEXT_ENTER, parent, field, f->offset, f->offset))
            return false;
    } else if (field && !parent->is_container) {
        if (!end_packed(r, parent))
            return false;
        f->begin = wire_begin(&r->out, field->id);
    }
    r->depth++;
    text_lexer_next(&r->lexer);
    return true;
}

static bool end_of_field(struct reader *r)
{
    const struct text_token *t = &r->lexer.token;

    if (text_token_is(t, ',') || text_token_is(t, ';'))
        text_lexer_next(&r->lexer);
    return true;
}

/* Behind a value of a list: ',' and another one, or ']'. *MORE tells which. */
static bool next_in_list(struct reader *r, bool *more)
{
    *more = text_token_is(&r->lexer.token, ',');
    if (!*more && !text_token_is(&r->lexer.token, ']'))
        return fail_expected(r, "',' or ']'", " in a list", "");
    text_lexer_next(&r->lexer);
    return true;
}

/* The closing bracket of the innermost message is the current token. */
static bool close_message(struct reader *r)
{
    struct frame f = r->frames[r->depth];
    struct frame *parent = &r->frames[r->depth - 1];
    const size_t end = (size_t)(r->lexer.token.begin - r->source->text);
    bool more;

    if (!end_packed(r, &f))
        return false;
    if (f.is_container) {
        if (!deliver(r, TEXT_LEAVE, parent, f.field, f.offset, end))
            return false;
    } else if (f.field && parent->is_container) {
        if (!deliver(r, TEXT_ELEMENT, parent, f.field, f.offset, end))
            return false;
    } else if (f.field && !end_length(r, f.begin)) {
        return false;
    }
    r->depth--;
    text_lexer_next(&r->lexer);
    if (!f.in_list)
        return end_of_field(r);
    if (!next_in_list(r, &more))
        return false;
    if (!more)
        return end_of_field(r);
    if (!closing_bracket(&r->lexer.token))
        return fail_expected(r, "'{'", " in a list of messages", "");
    return open_message(r, f.field, true);
}

/* ---- values: the current token stands behind the name and its colon */

static bool read_message_field(struct reader *r, const ProtobufCFieldDescriptor *field)
{
    struct text_lexer *lx = &r->lexer;
    bool in_list = text_token_is(&lx->token, '[');

    if (in_list) {
        text_lexer_next(lx);
        if (text_token_is(&lx->token, ']')) {
            text_lexer_next(lx);
            return end_of_field(r);
        }
    }
    if (!closing_bracket(&lx->token))
        return fail_expected(r, "'{'", " to open ", field->name);
    return open_message(r, field, in_list);
}

static bool read_scalar_field(struct reader *r, struct frame *f,
                              const ProtobufCFieldDescriptor *field)
{
    struct text_lexer *lx = &r->lexer;
    bool more = true;

    if (!text_token_is(&lx->token, '['))
        return read_scalar(r, f, field) && end_of_field(r);
    if (field->label != PROTOBUF_C_LABEL_REPEATED)
        return fail_expected(r, "a single value", " for ", field->name);
    text_lexer_next(lx);
    if (text_token_is(&lx->token, ']')) {
        text_lexer_next(lx);
        return end_of_field(r);
    }
    while (more)
        if (!read_scalar(r, f, field) || !next_in_list(r, &more))
            return false;
    return end_of_field(r);
}

/* A field nobody knows or wants: passed over by its form. */
static bool skip_field(struct reader *r)
{
    struct text_lexer *lx = &r->lexer;
    bool more = true;

    if (closing_bracket(&lx->token))
        return open_message(r, NULL, false);
    if (!text_token_is(&lx->token, '[')) {
        if (!skip_scalar(lx))
            return fail_expected(r, "a value", "", "");
        return end_of_field(r);
    }
    text_lexer_next(lx);
    if (text_token_is(&lx->token, ']')) {
        text_lexer_next(lx);
        return end_of_field(r);
    }
    if (closing_bracket(&lx->token))
        return open_message(r, NULL, true);
    while (more) {
        if (!skip_scalar(lx))
            return fail_expected(r, "a value", " in a list", "");
        if (!next_in_list(r, &more))
            return false;
    }
    return end_of_field(r);
}

/* ---- names */

/* [package.extension] or [domain/package.Message] */
static bool skip_bracket_name(struct reader *r)
{
    struct text_lexer *lx = &r->lexer;

    for (;;) {
        text_lexer_next(lx);
        if (text_token_is(&lx->token, ']'))
            break;
        if (lx->token.kind != TOKEN_NAME && !text_token_is(&lx->token, '.') &&
            !text_token_is(&lx->token, '/') && !text_token_is(&lx->token, '-'))
            return fail_expected(r, "']'", " behind the name of an extension", "");
    }
    text_lexer_next(lx);
    return true;
}

/* The current token is no name: the message ends here, or something is off. */
static bool fail_no_field(struct reader *r, const struct frame *f)
{
    char what[] = "'}'";

    if (!f->close)
        return fail_expected(r, "a field name", "", "");
    what[1] = f->close;
    return fail_expected(r, what, " to close ", f->field ? f->field->name : "a message");
}

/* A name that no field has: ends the message when no value follows either. */
static bool fail_no_value(struct reader *r, const struct frame *f, struct text_token name)
{
    if (r->lexer.token.kind != TOKEN_BAD)
        r->lexer.token = name;
    return fail_no_field(r, f);
}

static bool read_field(struct reader *r)
{
    struct frame *f = &r->frames[r->depth];
    struct text_lexer *lx = &r->lexer;
    const ProtobufCFieldDescriptor *field = NULL;
    struct text_token name = lx->token;
    bool has_colon;

    if (name.kind == TOKEN_NAME && f->message)
        field = find_near(f, &name);
    if (text_token_is(&name, '[')) {
        if (!skip_bracket_name(r))
            return false;
    } else if (name.kind == TOKEN_NAME || name.kind == TOKEN_INT) {
        text_lexer_next(lx);
    } else {
        return fail_no_field(r, f);
    }
    has_colon = text_token_is(&lx->token, ':');
    if (has_colon)
        text_lexer_next(lx);
    if (!field) {
        if (!has_colon && !closing_bracket(&lx->token))
            return fail_no_value(r, f, name);
        return skip_field(r);
    }
    if (field->type != PROTOBUF_C_TYPE_MESSAGE && !has_colon)
        return fail_expected(r, "':'", " behind ", field->name);
    if (is_listed((const void *const *)r->source->skipped, field))
        return skip_field(r);
    if (field->type == PROTOBUF_C_TYPE_MESSAGE)
        return read_message_field(r, field);
    return read_scalar_field(r, f, field);
}

/* ---- the whole */

static void tell_unknown_enums(struct reader *r)
{
    uint64_t line, column;

    if (!r->n_unknown_enums || !r->source->notes)
        return;
    text_place(r->source->text, (size_t)(r->first_unknown_enum - r->source->text), &line, &column);
    note_add(r->source->notes,
             "%s:%llu:%llu: the value '%.*s' is not known and was left out (%llu such in all)",
             r->source->path, (unsigned long long)line, (unsigned long long)column,
             (int)r->first_unknown_enum_len, (const char *)r->first_unknown_enum,
             (unsigned long long)r->n_unknown_enums);
}

static bool read_body(struct reader *r)
{
    for (;;) {
        const struct frame *f = &r->frames[r->depth];
        const struct text_token *t = &r->lexer.token;

        if (f->close && text_token_is(t, f->close)) {
            if (!close_message(r))
                return false;
        } else if (!f->close && t->kind == TOKEN_END) {
            return true;
        } else if (!read_field(r)) {
            return false;
        }
    }
}

/* Everything into one message when HANDLER is NULL. */
static bool read_text(struct reader *r)
{
    bool ok;

    r->frames[0] = (struct frame){.message = r->source->message, .is_container = r->handler};
    text_lexer_init(&r->lexer, r->source->text, r->source->size_bytes);
    ok = read_body(r) && end_packed(r, &r->frames[0]);
    if (ok)
        tell_unknown_enums(r);
    return ok;
}

bool text_read(const struct text_source *source, text_handler *handler, void *context,
               struct err *err)
{
    struct reader r = {.source = source, .handler = handler, .context = context, .err = err};
    bool ok = read_text(&r);

    sb_done(&r.out);
    return ok;
}

bool text_to_wire(const struct text_source *source, struct strbuf *out, struct err *err)
{
    struct reader r = {.source = source, .err = err};
    bool ok = read_text(&r);

    if (ok)
        sb_add(out, sb_text(&r.out), r.out.len);
    sb_done(&r.out);
    return ok;
}
