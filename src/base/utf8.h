/* utf8.h: decoding UTF-8 and making any bytes safe to print. */
#ifndef TFPROF_BASE_UTF8_H
#define TFPROF_BASE_UTF8_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/strbuf.h"

/* Length in bytes (1 to 4) of the well-formed character at TEXT (LEN > 0
 * bytes remain) and its code point in *CODE; 0 when the bytes there are not
 * UTF-8 (overlong forms, surrogates and cut characters included). */
size_t utf8_decode(const char *text, size_t len, uint32_t *code);

/* Where what is at TEXT (LEN > 0 bytes remain) may not be shown as it is: writes
 * to OUT what stands for it, its length to *N_OUT, and returns how many bytes of
 * TEXT that is.  0 when it is a character like any other.
 *
 * Control characters (below 0x20, 0x7f, U+0080 to U+009F) and bytes that are not
 * UTF-8 become \xNN, a byte each (semantics.md section 6).  Bidirectional control
 * characters (U+061C, U+200E, U+200F, U+202A to U+202E, U+2066 to U+2069), which
 * make a name read as another one, become \u{NNNN}. */
enum { UTF8_ESCAPE_BYTES = 8 };
size_t utf8_escape_at(const char *text, size_t len, char out[UTF8_ESCAPE_BYTES], size_t *n_out);

/* Appends TEXT to SB with all of that escaped. */
void utf8_escape(struct strbuf *sb, const char *text, size_t len);

/* Bytes at the start of TEXT that are printable ASCII: nearly all of them in nearly all names. */
size_t utf8_plain_run(const char *text, size_t len);
/* True when utf8_escape() would change nothing. */
bool utf8_is_plain(const char *text, size_t len);

/* Appends TEXT with every byte that is not part of a well-formed character
 * replaced by U+FFFD: the form JSON and messages need. */
void utf8_repair(struct strbuf *sb, const char *text, size_t len);

/* Writes CODE (a valid scalar value) as UTF-8 to OUT, which has room for 4
 * bytes; returns how many were written. */
size_t utf8_put(uint8_t *out, uint32_t code);

/* Appends CODE (a valid scalar value) as UTF-8. */
void utf8_encode(struct strbuf *sb, uint32_t code);

#endif
