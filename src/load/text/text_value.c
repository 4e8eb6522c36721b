/* text_value.c: reads strings and numbers, and reports errors of the text. */
#include "load/text/text_reader_priv.h"

#include <limits.h>
#include <string.h>

#include "base/wire_out.h"
#include "load/text/text_scalar.h"

/* ---- errors */

bool text_fail_at(struct reader *r, const uint8_t *where, const char *cause)
{
    uint64_t line, column;

    text_position(r->source->text, (size_t)(where - r->source->text), &line, &column);
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

bool text_fail_expected(struct reader *r, const char *what, const char *preposition,
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
    text_fail_at(r, t->kind == TOKEN_STRING ? t->begin - 1 : t->begin, sb_text(&sb));
    sb_done(&sb);
    return false;
}

/* ---- scalars */

static void note_unknown_enum(struct reader *r, const struct text_token *t)
{
    if (!r->n_unknown_enums++) {
        r->first_unknown_enum = t->begin;
        r->first_unknown_enum_len = t->len;
    }
}

/* Appends all adjacent strings as one value. */
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
                return text_fail_at(r, lx->token.begin + bad, "an invalid escape in a string");
        }
        r->out.len += n;
        text_lexer_next(lx);
    }
    return true;
}

bool text_end_length(struct reader *r, size_t begin)
{
    if (r->out.len - begin > INT_MAX)
        return text_fail_at(r, r->lexer.token.begin, "a value of more than 2 GiB");
    wire_end(&r->out, begin);
    return true;
}

bool text_skip_scalar(struct text_lexer *lx)
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

bool text_end_packed(struct reader *r, struct open_message *f)
{
    if (!f->packed)
        return true;
    f->packed = NULL;
    return text_end_length(r, f->packed_at);
}

/* Writes the tag before a number of FIELD; numbers of a repeated field share one packed chunk. */
static bool begin_number(struct reader *r, struct open_message *f,
                         const ProtobufCFieldDescriptor *field)
{
    if (f->packed == field)
        return true;
    if (!text_end_packed(r, f))
        return false;
    if (field->label == PROTOBUF_C_LABEL_REPEATED) {
        f->packed = field;
        f->packed_at = wire_begin(&r->out, field->id);
    } else {
        wire_tag(&r->out, field->id, text_wire_type(field->type));
    }
    return true;
}

static bool read_string_value(struct reader *r, struct open_message *f,
                              const ProtobufCFieldDescriptor *field)
{
    size_t begin = 0;

    if (r->lexer.token.kind != TOKEN_STRING)
        return text_fail_expected(r, "a string", " for ", field->name);
    if (f->is_container)
        return read_strings(r);
    if (!text_end_packed(r, f))
        return false;
    begin = wire_begin(&r->out, field->id);
    return read_strings(r) && text_end_length(r, begin);
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
        return text_fail_at(r, begin, "a number out of range for its field");
    case TEXT_SCALAR_KIND:
        return text_fail_expected(r, text_scalar_wanted(field->type), " for ", field->name);
    }
    text_lexer_next(lx);
    return true;
}

bool text_read_scalar(struct reader *r, struct open_message *f,
                      const ProtobufCFieldDescriptor *field)
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
        return text_deliver(r, TEXT_ELEMENT, f, field, offset,
                       (size_t)(r->lexer.token.begin - r->source->text));
    return true;
}
