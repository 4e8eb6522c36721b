/* text_lexer.h: the tokens of the protobuf text format, over mapped bytes. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum text_token_kind {
    TOKEN_END,    /* of the text */
    TOKEN_NAME,   /* identifier */
    TOKEN_INT,    /* decimal, octal (0...) or hex (0x...) */
    TOKEN_FLOAT,  /* with '.', exponent or the suffix f */
    TOKEN_STRING, /* one quoted string; begin and len exclude the quotes */
    TOKEN_PUNCT,  /* any other single byte */
    TOKEN_BAD,    /* lexer.problem has the reason */
};

struct text_token {
    enum text_token_kind kind;
    bool has_escapes;     /* of a string */
    const uint8_t *begin; /* position of an error */
    size_t len;
};

/* The current token and the position of the next one.  Never reads past end. */
struct text_lexer {
    const uint8_t *at, *end;
    struct text_token token;
    const char *problem; /* static text; of TOKEN_BAD */
};

/* Starts on SIZE bytes and reads the first token.  Skips a byte order mark and a first line of
 * debug output ("goo.gle/debug..."). */
void text_lexer_init(struct text_lexer *lx, const uint8_t *text, size_t size);
/* Advances to the next token. */
void text_lexer_next(struct text_lexer *lx);

static inline bool text_token_is(const struct text_token *t, char c)
{
    return t->kind == TOKEN_PUNCT && *t->begin == (uint8_t)c;
}

/* Decodes the escapes of a string's LEN bytes into OUT, which has room for LEN
 * bytes (a decoded string is never longer).  Returns the decoded length, or
 * SIZE_MAX with the offset of the bad escape in *BAD. */
size_t text_unescape(const uint8_t *raw, size_t len, uint8_t *out, size_t *bad);

/* The value of a TOKEN_INT; false when it does not fit 64 bits. */
bool text_int_value(const struct text_token *t, uint64_t *value);

/* Line and column (bytes), both from 1, of the byte at OFFSET. */
void text_position(const uint8_t *text, size_t offset, uint64_t *line, uint64_t *column);
