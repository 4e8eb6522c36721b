/* json_in.h: a tokenizer of JSON that goes on where others give up (formats-trace.md section 1).
 *
 * It looks at bytes that are there and builds no tree: values are ranges of the input.  A cursor
 * that meets the end of what has arrived says so, and the caller tries again with more. */
#ifndef TFPROF_LOAD_JSON_IN_H
#define TFPROF_LOAD_JSON_IN_H

#include "base/strbuf.h"
#include "load/loader.h"

enum json_type { JSON_ABSENT, JSON_STRING, JSON_WORD, JSON_OBJECT, JSON_ARRAY };

/* A value as it stands: a string without its quotes; a number, true, false, null or NaN; an
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

/* How deep objects and arrays may lie in each other. */
enum { JSON_MAX_DEPTH = 256 };

struct json_in {
    const uint8_t *at, *end;
    bool is_last; /* nothing comes behind `end` */
    /* A quote ends a string only where what follows says so (formats-trace.md section 1.4). */
    bool bare_quotes;
    enum json_fault fault;
    uint32_t n_controls;          /* bytes below 0x20 in strings, but tab and ends of lines */
    const uint8_t *first_control; /* NULL: none */
};

/* Skips blanks; false with a fault at the end of the bytes. */
bool json_blanks(struct json_in *in);
/* Any value.  False with a fault. */
bool json_value(struct json_in *in, struct json_value *value);
/* The members of an object: json_open() consumes its brace, json_key() the next key and its
 * colon; it returns false at the closing brace, which is consumed, or with a fault.  Commas are
 * looked at with indulgence. */
bool json_open(struct json_in *in);
bool json_key(struct json_in *in, struct json_value *key);

/* The inside of an array or the whole of an object that was read before: once more. */
struct json_in json_again(struct json_value value, bool bare_quotes);
/* The next element of such an array; false behind the last one. */
bool json_element(struct json_in *in, struct json_value *element);

/* Appends the string's bytes with escapes resolved: lone surrogates are U+FFFD, a backslash
 * before anything that is no escape is itself. */
void json_unescape(struct strbuf *sb, struct json_value string);

/* A count of whole units of 10^-SHIFT from decimal text, "1.5e3" or "-1.-5" too; digits behind
 * the last that counts round half up.  False: no number, or beyond 64 bits. */
bool json_decimal(struct json_value value, unsigned shift, int64_t *number);
/* A whole number: what json_decimal() with SHIFT 0 takes, without a fraction. */
bool json_integer(struct json_value value, int64_t *number);

static inline bool json_is(struct json_value value, const char *text, size_t len)
{
    return value.len == len && memcmp(value.at, text, len) == 0;
}

#endif
