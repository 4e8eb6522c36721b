/* utf8.h: decodes UTF-8, and escapes bytes that are unsafe to print. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/strbuf.h"

/* Decodes the character at TEXT, of which LEN > 0 bytes remain. Returns its length (1 to 4) and
 * stores the code point in *CODE. Returns 0 if the bytes are not valid UTF-8 (including overlong
 * forms, surrogates and truncated characters). */
size_t utf8_decode(const char *text, size_t len, uint32_t *code);

/* Checks whether the character at TEXT, of which LEN > 0 bytes remain, must be escaped. If so,
 * writes the escape to OUT, its length to *N_OUT, and returns the number of bytes of TEXT that it
 * replaces; else returns 0.
 *
 * Control characters (below 0x20, 0x7f, U+0080 to U+009F) and invalid UTF-8 become \xNN per byte
 * (semantics.md section 6). Bidirectional control characters (U+061C, U+200E, U+200F, U+202A to
 * U+202E, U+2066 to U+2069), which can disguise a name, become \u{NNNN}. */
enum { UTF8_ESCAPE_BYTES = 8 };
size_t utf8_escape_at(const char *text, size_t len, char out[UTF8_ESCAPE_BYTES], size_t *n_out);

/* Appends TEXT to SB, escaped as utf8_escape_at() describes. */
void utf8_escape(struct strbuf *sb, const char *text, size_t len);

/* Number of printable ASCII bytes at the start of TEXT. For most names that is all of them. */
size_t utf8_plain_run(const char *text, size_t len);
/* True if utf8_escape() would change nothing. */
bool utf8_is_plain(const char *text, size_t len);

/* Appends TEXT with every byte that is not valid UTF-8 replaced by U+FFFD, as JSON and protocol
 * buffers require. */
void utf8_repair(struct strbuf *sb, const char *text, size_t len);

/* Writes CODE (a valid scalar value) as UTF-8 to OUT, which has room for 4 bytes. Returns the
 * length. */
size_t utf8_put(uint8_t *out, uint32_t code);

/* Appends CODE (a valid scalar value) as UTF-8. */
void utf8_encode(struct strbuf *sb, uint32_t code);
