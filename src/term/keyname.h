/* keyname.h: text form of keys: "<c-r>" in configuration and tests, "^R" on the screen. */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "base/strbuf.h"

/* Reads one key from the start of TEXT: a character, or a name in angle brackets with the modifiers
 * c- a- s- before it: "j", "<ret>", "<c-r>", "<a-left>", "<f6>", "<lt>" for '<' itself. A '<'
 * without a '>' is a character. Returns the number of bytes read, 0 on a syntax error. */
size_t key_parse(const char *text, size_t len, uint32_t *key);
/* Appends the form that key_parse() reads. */
void key_name(struct strbuf *sb, uint32_t key);
/* Appends the form shown in footers and help: "Enter", "^R", "Alt-Left". */
void key_label(struct strbuf *sb, uint32_t key);
/* Canonical form of a key with several notations: <c-R> becomes <c-r>, <s-g> G, <s-tab> TK_BACKTAB,
 * <c-i> Tab. */
uint32_t key_normal(uint32_t key);
