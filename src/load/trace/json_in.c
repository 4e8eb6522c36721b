/* json_in.c: a JSON tokenizer that tolerates malformed strings. */
#include "load/trace/json_in.h"

#include <string.h>

#include "base/text.h"

static bool fail(struct json_in *in, enum json_fault fault)
{
    in->fault = fault;
    return false;
}

/* ---- scanning of several bytes at a time */

#define REPEATED(byte) (UINT64_C(0x0101010101010101) * (byte))

static uint64_t word_at(const uint8_t *at)
{
    uint64_t word;

    memcpy(&word, at, sizeof word);
    return word;
}

/* Index in memory order of the first byte of WORD that is not 0; WORD must not be 0. */
static unsigned n_zero_bytes(uint64_t word)
{
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
    return (unsigned)__builtin_ctzll(word) / 8;
#else
    return (unsigned)__builtin_clzll(word) / 8;
#endif
}

bool json_skip_blanks(struct json_in *in)
{
    const uint8_t *at = in->at;

    for (; at < in->end && is_blank(*at); at++)
        while (in->end - at > 8) { /* skips indentation */
            const uint64_t others = word_at(at + 1) ^ REPEATED(' ');

            at += others ? n_zero_bytes(others) : 8;
            if (others)
                break;
        }
    in->at = at;
    return at < in->end || fail(in, JSON_ENDS);
}

/* ---- strings */

typedef uint8_t byte_vector __attribute__((vector_size(16)));

/* The first quote, backslash or byte below 0x20 from AT on; END if there is none. */
static const uint8_t *next_special(const uint8_t *at, const uint8_t *end)
{
    for (; end - at >= 16; at += 16) {
        byte_vector bytes;
        uint64_t found[2];

        memcpy(&bytes, at, sizeof bytes);
        bytes = (byte_vector)((bytes == '"') | (bytes == '\\') | ((bytes & 0xe0) == 0));
        memcpy(found, &bytes, sizeof found);
        if (found[0])
            return at + n_zero_bytes(found[0]);
        if (found[1])
            return at + 8 + n_zero_bytes(found[1]);
    }
    while (at < end && *at != '"' && *at != '\\' && *at >= 0x20)
        at++;
    return at;
}

enum answer { NO, YES, UNKNOWN };

/* Decides from the bytes after the quote at AT whether it ends a key. */
static enum answer ends_key(const struct json_in *in, const uint8_t *at)
{
    for (at++; at < in->end; at++)
        if (!is_blank(*at))
            return *at == ':' ? YES : NO;
    return in->is_last ? NO : UNKNOWN;
}

/* Decides the same for a value: it must be followed by closing brackets and the end of the file, or
 * by a comma and the start of a key or value. */
static enum answer ends_value(const struct json_in *in, const uint8_t *at)
{
    bool comma = false;

    for (at++; at < in->end; at++) {
        if (is_blank(*at))
            continue;
        if (comma)
            return *at == '"' || *at == '{' || *at == '[' || *at == '-' || is_digit(*at) ? YES : NO;
        comma = *at == ',';
        if (!comma && *at != '}' && *at != ']')
            return NO;
    }
    return in->is_last ? YES : UNKNOWN;
}

static void count_control(struct json_in *in, const uint8_t *at)
{
    if (*at == '\t' || *at == '\n' || *at == '\r')
        return;
    if (!in->n_controls++)
        in->first_control = at;
}

/* Parses the string at its opening quote. */
static bool string(struct json_in *in, bool is_key, struct json_value *value)
{
    const uint8_t *at = in->at + 1;

    *value = (struct json_value){.at = at, .type = JSON_STRING};
    for (;; at++) {
        enum answer ends = YES;

        at = next_special(at, in->end);
        if (at >= in->end)
            return fail(in, JSON_ENDS);
        if (*at == '\\') {
            value->is_escaped = true;
            if (++at >= in->end)
                return fail(in, JSON_ENDS);
            if (*at < 0x20)
                count_control(in, at);
            continue;
        }
        if (*at != '"') {
            count_control(in, at);
            continue;
        }
        if (in->bare_quotes)
            ends = is_key ? ends_key(in, at) : ends_value(in, at);
        if (ends == UNKNOWN)
            return fail(in, JSON_ENDS);
        if (ends == YES)
            break;
    }
    value->len = (size_t)(at - value->at);
    in->at = at + 1;
    return true;
}

/* ---- other values */

static bool word(struct json_in *in, struct json_value *value)
{
    const uint8_t *at = in->at;

    while (at < in->end && (is_digit(*at) || is_letter(*at) || *at == '-' || *at == '+' || *at == '.'))
        at++;
    if (at == in->at)
        return fail(in, JSON_BAD);
    if (at == in->end && !in->is_last)
        return fail(in, JSON_ENDS);
    *value = (struct json_value){.at = in->at, .len = (size_t)(at - in->at), .type = JSON_WORD};
    in->at = at;
    return true;
}

/* Parses a key and its colon. */
static bool key_and_colon(struct json_in *in, struct json_value *key)
{
    if (!string(in, true, key) || !json_blanks(in))
        return false;
    if (*in->at != ':')
        return fail(in, JSON_BAD);
    in->at++;
    return json_blanks(in);
}

/* Parses an object or array at its opening bracket; the value is its source text. */
static bool container(struct json_in *in, struct json_value *value)
{
    uint8_t opened[JSON_MAX_DEPTH];
    unsigned depth = 0;
    struct json_value part;
    bool has_key = false;

    *value = (struct json_value){.at = in->at, .type = *in->at == '{' ? JSON_OBJECT : JSON_ARRAY};
    do {
        const uint8_t c = *in->at;
        const bool in_object = depth && opened[depth - 1] == '{';

        if (c == '{' || c == '[') {
            if (depth == JSON_MAX_DEPTH || (in_object && !has_key))
                return fail(in, JSON_BAD);
            opened[depth++] = c;
            has_key = false;
            in->at++;
        } else if (c == '}' || c == ']') {
            if (has_key || opened[depth - 1] != (c == '}' ? '{' : '['))
                return fail(in, JSON_BAD);
            depth--;
            in->at++;
        } else if (c == ',' && !has_key) {
            in->at++;
        } else if (in_object && !has_key) {
            if (c != '"')
                return fail(in, JSON_BAD);
            if (!key_and_colon(in, &part))
                return false;
            has_key = true;
        } else {
            if (!(c == '"' ? string(in, false, &part) : word(in, &part)))
                return false;
            has_key = false;
        }
    } while (depth && json_blanks(in));
    value->len = (size_t)(in->at - value->at);
    return in->fault == JSON_FINE;
}

bool json_value(struct json_in *in, struct json_value *value)
{
    if (!json_blanks(in))
        return false;
    if (*in->at == '"')
        return string(in, false, value);
    return *in->at == '{' || *in->at == '[' ? container(in, value) : word(in, value);
}

bool json_open(struct json_in *in)
{
    if (!json_blanks(in))
        return false;
    if (*in->at != '{')
        return fail(in, JSON_BAD);
    in->at++;
    return true;
}

bool json_key(struct json_in *in, struct json_value *key)
{
    while (json_blanks(in) && *in->at == ',')
        in->at++;
    if (in->fault != JSON_FINE)
        return false;
    if (*in->at == '}') {
        in->at++;
        return false;
    }
    return *in->at == '"' ? key_and_colon(in, key) : fail(in, JSON_BAD);
}

struct json_in json_again(struct json_value value, bool bare_quotes)
{
    return (struct json_in){.at = value.at + (value.type == JSON_ARRAY),
                            .end = value.at + value.len,
                            .is_last = true,
                            .bare_quotes = bare_quotes};
}

bool json_element(struct json_in *in, struct json_value *element)
{
    while (json_blanks(in) && *in->at == ',')
        in->at++;
    return in->fault == JSON_FINE && *in->at != ']' && json_value(in, element);
}
