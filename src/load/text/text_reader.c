/* text_reader.c: converts protobuf text format of any message to wire format, element by element.
 *
 * Open messages are in an array of frames, without recursion.  The length of a nested message is
 * inserted when it ends. */
#include "load/text/text_reader_priv.h"

#include <string.h>

#include "base/lower_bound.h"
#include "base/wire_out.h"

static bool name_is(const ProtobufCFieldDescriptor *field, const char *name, size_t len)
{
    return strncmp(field->name, name, len) == 0 && field->name[len] == '\0';
}

/* Field names of older schemas (formats-runmeta, MemoryStats). */
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
    const unsigned *by_name = message->fields_sorted_by_name;
    const ProtobufCFieldDescriptor *fields = message->fields, *found;
    size_t at = 0;

    LOWER_BOUND(at, message->n_fields, i, strncmp(fields[by_name[i]].name, name, len) < 0);
    found = at < message->n_fields ? &fields[by_name[at]] : NULL;
    if (found && strncmp(found->name, name, len) == 0 && found->name[len] == '\0')
        return found;
    return find_old_field(message, name, len);
}

/* The field of F's message that token T names, or NULL; tries the last field and the next one
 * first. */
static const ProtobufCFieldDescriptor *text_find_near(struct open_message *f,
                                                      const struct text_token *t)
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

bool text_deliver(struct reader *r, enum text_event event, const struct open_message *parent,
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

/* ---- messages */

static char closing_bracket(const struct text_token *t)
{
    if (text_token_is(t, '{'))
        return '}';
    return text_token_is(t, '<') ? '>' : '\0';
}

/* Opens the message at the current token; FIELD is NULL when it is unknown or skipped. */
static bool open_message(struct reader *r, const ProtobufCFieldDescriptor *field, bool in_list)
{
    struct open_message *parent = &r->frames[r->depth];
    struct open_message *f = parent + 1;

    if (r->depth == TEXT_MAX_DEPTH)
        return text_fail_at(r, r->lexer.token.begin, "messages more than 100 levels deep");
    *f = (struct open_message){
        .field = field,
        .message = field ? field->descriptor : NULL,
        .close = closing_bracket(&r->lexer.token),
        .in_list = in_list,
        .offset = (size_t)(r->lexer.at - r->source->text),
    };
    f->is_container = field && parent->is_container &&
                      is_listed((const void *const *)r->source->containers, f->message);
    if (f->is_container) {
        if (!text_deliver(r, TEXT_ENTER, parent, field, f->offset, f->offset))
            return false;
    } else if (field && !parent->is_container) {
        if (!text_end_packed(r, parent))
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

/* After a value of a list: ',' and another value, or ']'.  *MORE is set accordingly. */
static bool next_in_list(struct reader *r, bool *more)
{
    *more = text_token_is(&r->lexer.token, ',');
    if (!*more && !text_token_is(&r->lexer.token, ']'))
        return text_fail_expected(r, "',' or ']'", " in a list", "");
    text_lexer_next(&r->lexer);
    return true;
}

/* Closes the innermost message at its closing bracket. */
static bool close_message(struct reader *r)
{
    struct open_message f = r->frames[r->depth];
    struct open_message *parent = &r->frames[r->depth - 1];
    const size_t end = (size_t)(r->lexer.token.begin - r->source->text);
    bool more;

    if (!text_end_packed(r, &f))
        return false;
    if (f.is_container) {
        if (!text_deliver(r, TEXT_LEAVE, parent, f.field, f.offset, end))
            return false;
    } else if (f.field && parent->is_container) {
        if (!text_deliver(r, TEXT_ELEMENT, parent, f.field, f.offset, end))
            return false;
    } else if (f.field && !text_end_length(r, f.begin)) {
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
        return text_fail_expected(r, "'{'", " in a list of messages", "");
    return open_message(r, f.field, true);
}

/* ---- values: the current token follows the name and its colon */

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
        return text_fail_expected(r, "'{'", " to open ", field->name);
    return open_message(r, field, in_list);
}

static bool read_scalar_field(struct reader *r, struct open_message *f,
                              const ProtobufCFieldDescriptor *field)
{
    struct text_lexer *lx = &r->lexer;
    bool more = true;

    if (!text_token_is(&lx->token, '['))
        return text_read_scalar(r, f, field) && end_of_field(r);
    if (field->label != PROTOBUF_C_LABEL_REPEATED)
        return text_fail_expected(r, "a single value", " for ", field->name);
    text_lexer_next(lx);
    if (text_token_is(&lx->token, ']')) {
        text_lexer_next(lx);
        return end_of_field(r);
    }
    while (more)
        if (!text_read_scalar(r, f, field) || !next_in_list(r, &more))
            return false;
    return end_of_field(r);
}

/* Skips the value of an unknown or unwanted field. */
static bool skip_field(struct reader *r)
{
    struct text_lexer *lx = &r->lexer;
    bool more = true;

    if (closing_bracket(&lx->token))
        return open_message(r, NULL, false);
    if (!text_token_is(&lx->token, '[')) {
        if (!text_skip_scalar(lx))
            return text_fail_expected(r, "a value", "", "");
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
        if (!text_skip_scalar(lx))
            return text_fail_expected(r, "a value", " in a list", "");
        if (!next_in_list(r, &more))
            return false;
    }
    return end_of_field(r);
}

/* ---- names */

/* Parses [package.extension] or [domain/package.Message]. */
static bool skip_bracket_name(struct reader *r)
{
    struct text_lexer *lx = &r->lexer;

    for (;;) {
        text_lexer_next(lx);
        if (text_token_is(&lx->token, ']'))
            break;
        if (lx->token.kind != TOKEN_NAME && !text_token_is(&lx->token, '.') &&
            !text_token_is(&lx->token, '/') && !text_token_is(&lx->token, '-'))
            return text_fail_expected(r, "']'", " after the name of an extension", "");
    }
    text_lexer_next(lx);
    return true;
}

/* The current token is not a name: ends the message, or fails. */
static bool fail_no_field(struct reader *r, const struct open_message *f)
{
    char what[] = "'}'";

    if (!f->close)
        return text_fail_expected(r, "a field name", "", "");
    what[1] = f->close;
    return text_fail_expected(r, what, " to close ", f->field ? f->field->name : "a message");
}

/* Fails at the unknown NAME, which has no value either. */
static bool fail_no_value(struct reader *r, const struct open_message *f, struct text_token name)
{
    if (r->lexer.token.kind != TOKEN_BAD)
        r->lexer.token = name;
    return fail_no_field(r, f);
}

static bool read_field(struct reader *r)
{
    struct open_message *f = &r->frames[r->depth];
    struct text_lexer *lx = &r->lexer;
    const ProtobufCFieldDescriptor *field = NULL;
    struct text_token name = lx->token;
    bool has_colon;

    if (name.kind == TOKEN_NAME && f->message)
        field = text_find_near(f, &name);
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
        return text_fail_expected(r, "':'", " behind ", field->name);
    if (is_listed((const void *const *)r->source->skipped, field))
        return skip_field(r);
    if (field->type == PROTOBUF_C_TYPE_MESSAGE)
        return read_message_field(r, field);
    return read_scalar_field(r, f, field);
}

/* ---- whole texts */

static void note_unknown_enums(struct reader *r)
{
    uint64_t line, column;

    if (!r->n_unknown_enums || !r->source->notes)
        return;
    text_position(r->source->text, (size_t)(r->first_unknown_enum - r->source->text), &line, &column);
    note_add(r->source->notes,
             "%s:%llu:%llu: the value '%.*s' is unknown and was left out (%llu such in all)",
             r->source->path, (unsigned long long)line, (unsigned long long)column,
             (int)r->first_unknown_enum_len, (const char *)r->first_unknown_enum,
             (unsigned long long)r->n_unknown_enums);
}

static bool read_body(struct reader *r)
{
    for (;;) {
        const struct open_message *f = &r->frames[r->depth];
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

/* With HANDLER NULL the whole text is one message. */
static bool read_text(struct reader *r)
{
    bool ok;

    r->frames[0] = (struct open_message){.message = r->source->message, .is_container = r->handler};
    text_lexer_init(&r->lexer, r->source->text, r->source->size_bytes);
    ok = read_body(r) && text_end_packed(r, &r->frames[0]);
    if (ok)
        note_unknown_enums(r);
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
