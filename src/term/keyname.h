/* keyname.h: keys as text: "<c-r>" in configurations and tests, "^R" for
 * people. */
#ifndef TFPROF_TUI_KEYNAME_H
#define TFPROF_TUI_KEYNAME_H

#include <stddef.h>
#include <stdint.h>

#include "base/strbuf.h"

/* Reads one key from the start of TEXT: a character, or a name in angle
 * brackets with the modifiers c- a- s- before it: "j", "<ret>", "<c-r>",
 * "<a-left>", "<f6>", "<lt>" for the bracket itself.  A '<' that no '>' closes
 * is the character.  Returns the bytes read; 0 when it is no key. */
size_t key_parse(const char *text, size_t len, uint32_t *key);
/* Appends the form that key_parse() reads. */
void key_name(struct strbuf *sb, uint32_t key);
/* Appends the form that footers and help show: "Enter", "^R", "Alt-Left". */
void key_label(struct strbuf *sb, uint32_t key);
/* The one form of a key that can be written in several ways: <c-R> is <c-r>,
 * <s-g> is G, <s-tab> is TK_BACKTAB, <c-i> is Tab. */
uint32_t key_normal(uint32_t key);

#endif
