/* escape.h: text in JSON strings, markup and csv fields. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "base/strbuf.h"

/* Appends TEXT in double quotes as ASCII: characters above U+007E become \uXXXX (surrogate pairs
 * above U+FFFF), invalid UTF-8 bytes U+FFFD (semantics.md section 6). */
void json_add_string(struct strbuf *sb, const char *text, size_t len);
/* Appends the first members of every JSON answer: {"tfprof":2,"view":VIEW,"units":{UNITS},
 * "returned":..,"total":..,"truncated":.. UNITS are members such as "micros":"us". */
void json_add_head(struct strbuf *sb, const char *view, const char *units, uint64_t returned,
                   uint64_t total);

/* Appends LEN bytes of TEXT, without control characters, as content of an element or of a quoted
 * attribute.  U+FFFE and U+FFFF, which XML 1.0 section 2.2 excludes, become U+FFFD. */
void markup_add(struct strbuf *sb, const char *text, size_t len);
/* Appends LEN bytes of TEXT, a single line, as literal text of a Markdown paragraph or cell. */
void markdown_add(struct strbuf *sb, const char *text, size_t len);

/* Escapes control characters and invalid bytes of TEXT, and appends it by ADD: markup_add() or
 * markdown_add(). */
void escaped_add(struct strbuf *sb, const char *text, size_t len,
                 void (*add)(struct strbuf *sb, const char *text, size_t len));

/* First part of an HTML page without scripts and external resources, including styles; the caller
 * appends </style>. */
extern const char markup_page_head[];

/* Appends the escaped text CELL as a csv field; an apostrophe keeps spreadsheets from reading it as
 * a formula. QUOTES: always quote, because the separator may not be a comma. */
void csv_add_text(struct strbuf *sb, const struct strbuf *cell, bool quotes);
