/* text_scalar.c: parses numbers, booleans and enum names of the text format. */
#include "load/text/text_scalar.h"

#include <float.h>
#include <locale.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/lower_bound.h"
#include "base/wire_out.h"
#include "base/xalloc.h"

/* The range of an integer type, as magnitudes. */
struct int_range {
    uint64_t max, most_negative;
};

static bool token_is(const struct text_token *t, const char *word)
{
    return strlen(word) == t->len && memcmp(word, t->begin, t->len) == 0;
}

static bool token_is_nocase(const struct text_token *t, const char *word)
{
    return strlen(word) == t->len && strncasecmp(word, (const char *)t->begin, t->len) == 0;
}

static enum text_scalar_result parse_int(const struct text_token *t, bool negative,
                                         struct int_range range, uint64_t *bits)
{
    uint64_t magnitude;

    if (t->kind != TOKEN_INT || (negative && !range.most_negative))
        return TEXT_SCALAR_KIND;
    if (!text_int_value(t, &magnitude) ||
        magnitude > (negative ? range.most_negative : range.max))
        return TEXT_SCALAR_RANGE;
    *bits = negative ? 0 - magnitude : magnitude;
    return TEXT_SCALAR_OK;
}

static enum text_scalar_result parse_bool(const struct text_token *t, bool negative, uint64_t *bits)
{
    static const char *const words[] = {"false", "False", "f", "true", "True", "t"};

    if (t->kind == TOKEN_INT)
        return parse_int(t, negative, (struct int_range){1, 0}, bits);
    if (t->kind != TOKEN_NAME || negative)
        return TEXT_SCALAR_KIND;
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (token_is(t, words[i])) {
            *bits = i >= 3;
            return TEXT_SCALAR_OK;
        }
    return TEXT_SCALAR_KIND;
}

static const ProtobufCEnumValue *find_enum(const ProtobufCEnumDescriptor *descriptor,
                                           const struct text_token *t)
{
    const char *name = (const char *)t->begin;
    const ProtobufCEnumValueIndex *values = descriptor->values_by_name;
    size_t at = 0;

    LOWER_BOUND(at, descriptor->n_value_names, i, strncmp(values[i].name, name, t->len) < 0);
    if (at == descriptor->n_value_names || strncmp(values[at].name, name, t->len) != 0 ||
        values[at].name[t->len] != '\0')
        return NULL;
    return &descriptor->values[values[at].index];
}

static enum text_scalar_result parse_enum(const struct text_token *t, bool negative,
                                          const ProtobufCEnumDescriptor *descriptor,
                                          struct text_scalar *value)
{
    const ProtobufCEnumValue *found;

    if (t->kind == TOKEN_INT)
        return parse_int(t, negative, (struct int_range){INT32_MAX, (uint64_t)INT32_MAX + 1},
                         &value->bits);
    if (t->kind != TOKEN_NAME || negative)
        return TEXT_SCALAR_KIND;
    found = find_enum(descriptor, t);
    if (!found) {
        value->is_dropped = true;
        return TEXT_SCALAR_UNKNOWN_ENUM;
    }
    value->bits = (uint64_t)(int64_t)found->value;
    return TEXT_SCALAR_OK;
}

/* strtod() of the token in the C locale. */
static double parse_digits(const struct text_token *t)
{
    char small[64];
    char *text = t->len < sizeof small ? small : xmalloc(t->len + 1);
    size_t len = t->len;
    locale_t c_locale = newlocale(LC_ALL_MASK, "C", (locale_t)0);
    double d;

    memcpy(text, t->begin, len);
    if (text[len - 1] == 'f' || text[len - 1] == 'F')
        len--;
    text[len] = '\0';
    d = c_locale ? strtod_l(text, NULL, c_locale) : strtod(text, NULL);
    if (c_locale)
        freelocale(c_locale);
    if (text != small)
        free(text);
    return d;
}

/* Numbers of at most 15 digits and a small power of ten are exact in a double (Clinger, "How to
 * read floating point numbers accurately", 1990). */
static bool parse_short(const struct text_token *t, double *d)
{
    static const double tens[] = {1e0, 1e1, 1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                                  1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15};
    uint64_t digits = 0;
    size_t after_point = 0;
    bool point = false;

    if (t->len > 16)
        return false;
    for (size_t i = 0; i < t->len; i++) {
        uint8_t c = t->begin[i];

        if (c == '.') {
            point = true;
        } else if (c >= '0' && c <= '9') {
            digits = digits * 10 + (uint64_t)(c - '0');
            after_point += point;
        } else {
            return false;
        }
    }
    if (digits >= 1000000000000000U || after_point >= sizeof tens / sizeof *tens)
        return false;
    *d = (double)digits / tens[after_point];
    return true;
}

/* Converts a double to float; overflow is infinity, unless it rounds to the largest float. */
static float to_float(double d)
{
    static const double rounds_to_max = 0x1.ffffffp+127;

    if (fabs(d) <= FLT_MAX || isnan(d))
        return (float)d;
    if (fabs(d) < rounds_to_max)
        return d > 0 ? FLT_MAX : -FLT_MAX;
    return d > 0 ? INFINITY : -INFINITY;
}

static enum text_scalar_result parse_float(const struct text_token *t, bool negative,
                                           bool is_double, uint64_t *bits)
{
    double d;
    uint64_t whole;
    uint32_t bits32;
    float f;

    if (t->kind == TOKEN_NAME) {
        if (token_is_nocase(t, "inf") || token_is_nocase(t, "infinity"))
            d = INFINITY;
        else if (token_is_nocase(t, "nan"))
            d = NAN;
        else
            return TEXT_SCALAR_KIND;
    } else if (t->kind == TOKEN_INT && t->len > 1 && *t->begin == '0') {
        if (!text_int_value(t, &whole))
            return TEXT_SCALAR_RANGE;
        d = (double)whole;
    } else if (t->kind == TOKEN_INT || t->kind == TOKEN_FLOAT) {
        if (!parse_short(t, &d))
            d = parse_digits(t);
    } else {
        return TEXT_SCALAR_KIND;
    }
    if (negative)
        d = -d;
    if (is_double) {
        memcpy(bits, &d, sizeof d);
    } else {
        f = to_float(d);
        memcpy(&bits32, &f, sizeof f);
        *bits = bits32;
    }
    return TEXT_SCALAR_OK;
}

enum text_scalar_result text_scalar_parse(const struct text_token *t, bool negative,
                                          const ProtobufCFieldDescriptor *field,
                                          struct text_scalar *value)
{
    static const struct int_range ranges[] = {
        [PROTOBUF_C_TYPE_INT32] = {INT32_MAX, (uint64_t)INT32_MAX + 1},
        [PROTOBUF_C_TYPE_SINT32] = {INT32_MAX, (uint64_t)INT32_MAX + 1},
        [PROTOBUF_C_TYPE_SFIXED32] = {INT32_MAX, (uint64_t)INT32_MAX + 1},
        [PROTOBUF_C_TYPE_INT64] = {INT64_MAX, (uint64_t)INT64_MAX + 1},
        [PROTOBUF_C_TYPE_SINT64] = {INT64_MAX, (uint64_t)INT64_MAX + 1},
        [PROTOBUF_C_TYPE_SFIXED64] = {INT64_MAX, (uint64_t)INT64_MAX + 1},
        [PROTOBUF_C_TYPE_UINT32] = {UINT32_MAX, 0},
        [PROTOBUF_C_TYPE_FIXED32] = {UINT32_MAX, 0},
        [PROTOBUF_C_TYPE_UINT64] = {UINT64_MAX, 0},
        [PROTOBUF_C_TYPE_FIXED64] = {UINT64_MAX, 0},
    };

    *value = (struct text_scalar){0};
    switch (field->type) {
    case PROTOBUF_C_TYPE_BOOL:
        return parse_bool(t, negative, &value->bits);
    case PROTOBUF_C_TYPE_ENUM:
        return parse_enum(t, negative, field->descriptor, value);
    case PROTOBUF_C_TYPE_FLOAT:
    case PROTOBUF_C_TYPE_DOUBLE:
        return parse_float(t, negative, field->type == PROTOBUF_C_TYPE_DOUBLE, &value->bits);
    default:
        return parse_int(t, negative, ranges[field->type], &value->bits);
    }
}

const char *text_scalar_wanted(ProtobufCType type)
{
    switch (type) {
    case PROTOBUF_C_TYPE_BOOL:
        return "true or false";
    case PROTOBUF_C_TYPE_ENUM:
        return "a name or number";
    case PROTOBUF_C_TYPE_FLOAT:
    case PROTOBUF_C_TYPE_DOUBLE:
        return "a number";
    default:
        return "a whole number";
    }
}

enum wire_type text_wire_type(ProtobufCType type)
{
    static const uint8_t types[] = {
        [PROTOBUF_C_TYPE_SFIXED32] = WIRE_I32, [PROTOBUF_C_TYPE_FIXED32] = WIRE_I32,
        [PROTOBUF_C_TYPE_FLOAT] = WIRE_I32,    [PROTOBUF_C_TYPE_SFIXED64] = WIRE_I64,
        [PROTOBUF_C_TYPE_FIXED64] = WIRE_I64,  [PROTOBUF_C_TYPE_DOUBLE] = WIRE_I64,
        [PROTOBUF_C_TYPE_STRING] = WIRE_LEN,   [PROTOBUF_C_TYPE_BYTES] = WIRE_LEN,
        [PROTOBUF_C_TYPE_MESSAGE] = WIRE_LEN,
    };

    return (enum wire_type)types[type];
}

void text_scalar_write(struct strbuf *wire, ProtobufCType type, uint64_t bits)
{
    switch (text_wire_type(type)) {
    case WIRE_I32:
        wire_fixed(wire, bits, 4);
        break;
    case WIRE_I64:
        wire_fixed(wire, bits, 8);
        break;
    default:
        if (type == PROTOBUF_C_TYPE_SINT32 || type == PROTOBUF_C_TYPE_SINT64)
            bits = bits << 1 ^ (bits >> 63 ? UINT64_MAX : 0);
        wire_varint(wire, bits);
    }
}
