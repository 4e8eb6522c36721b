/* json_in.h: a JSON tokenizer that tolerates malformed strings (formats-trace.md section 1).
 *
 * It builds no tree: values are ranges of the input.  If the available bytes end within a value, it
 * reports so, and the caller retries with more bytes. */
#pragma once

#include "base/strbuf.h"
#include "load/loader.h"

enum json_type { JSON_ABSENT, JSON_STRING, JSON_WORD, JSON_OBJECT, JSON_ARRAY };

/* The source text of a value: a string without its quotes; a number, true, false, null or NaN; an
 * object or array with its brackets. */
struct json_value {
    const uint8_t *at;
    size_t len;
    uint8_t type;    /* enum json_type */
    bool is_escaped; /* a string with backslashes */
};

enum json_fault {
    JSON_FINE,
    JSON_ENDS, /* the bytes end within a value */
    JSON_BAD,
};

/* Maximum nesting depth of objects and arrays. */
enum { JSON_MAX_DEPTH = 256 };

struct json_in {
    const uint8_t *at, *end;
    bool is_last; /* no more bytes will follow `end` */
    /* Unescaped quotes may occur in strings: a quote ends a string only if what follows fits
     * (formats-trace.md section 1.4). */
    bool bare_quotes;
    enum json_fault fault;
    uint32_t n_controls;          /* bytes below 0x20 in strings, except tabs and line ends */
    const uint8_t *first_control; /* the first of them, or NULL */
};

bool json_skip_blanks(struct json_in *in);
/* Skips blanks; false with a fault at the end of the bytes.  Here only one space, as after colons. */
static inline bool json_blanks(struct json_in *in)
{
    if (in->end - in->at > 1 && *in->at == ' ')
        in->at++;
    return (in->at < in->end && *in->at > ' ') || json_skip_blanks(in);
}
/* Parses any value; false with a fault. */
bool json_value(struct json_in *in, struct json_value *value);
/* Iterates over an object: json_open() consumes its brace, json_key() the next key and its colon.
 * It returns false after consuming the closing brace, or on a fault.  Missing and extra commas are
 * tolerated. */
bool json_open(struct json_in *in);
bool json_key(struct json_in *in, struct json_value *key);

/* Starts a second pass over the elements of an array, or over an object, that was read before. */
struct json_in json_again(struct json_value value, bool bare_quotes);
/* The next element of such an array; false after the last. */
bool json_element(struct json_in *in, struct json_value *element);

/* Appends the string with escapes resolved.  Lone surrogates become U+FFFD; a backslash that starts
 * no escape is kept. */
void json_unescape(struct strbuf *sb, struct json_value string);

/* Parses decimal text, such as "1.5e3" or "-1.-5", into units of 10^-SHIFT.  Further digits round
 * half up.  False if it is not a number or exceeds 64 bits. */
bool json_decimal(struct json_value value, unsigned shift, int64_t *number);
/* A whole number, as json_decimal() with SHIFT 0 parses it, without a fraction. */
bool json_integer(struct json_value value, int64_t *number);

static inline bool json_is(struct json_value value, const char *text, size_t len)
{
    return value.len == len && memcmp(value.at, text, len) == 0;
}
