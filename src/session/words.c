/* words.c: splitting typed lines into words and quoting words for a shell. */
#include "session/words.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "base/utf8.h"
#include "base/vec.h"
#include "base/xalloc.h"

void words_add(struct words *w, const char *text)
{
    if (w->n + 1 > w->capacity)
        w->items = vec_grow(w->items, &w->capacity, w->n + 1, sizeof *w->items);
    w->items[w->n++] = xstrdup(text);
}

void words_done(struct words *w)
{
    for (size_t i = 0; i < w->n; i++)
        free(w->items[i]);
    free(w->items);
    memset(w, 0, sizeof *w);
}

static int hex_digit(char c)
{
    if (c >= '0' && c <= '9')
        return c - '0';
    c |= 0x20;
    return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

/* Decodes the $'...' escape at TEXT[I], after its backslash; returns the index after it. */
static size_t add_escape(struct strbuf *word, const char *text, size_t i, size_t len)
{
    if (text[i] == 'x' && i + 2 < len && hex_digit(text[i + 1]) >= 0 &&
        hex_digit(text[i + 2]) >= 0) {
        const int byte = hex_digit(text[i + 1]) * 16 + hex_digit(text[i + 2]);

        if (byte) /* a word cannot contain a NUL */
            sb_addc(word, (char)byte);
        return i + 3;
    }
    sb_addc(word, (char)(text[i] == 'n' ? '\n' : text[i] == 't' ? '\t' : text[i]));
    return i + 1;
}

enum quoting { BARE, SINGLE, DOUBLE, DOLLAR };

/* Reads the word at TEXT[I]; returns the index after it. *OPEN: the unclosed quote, or 0. */
static size_t read_word(const char *text, size_t i, size_t len, struct strbuf *word,
                        enum quoting *open)
{
    enum quoting in = BARE;

    while (i < len && (in != BARE || !is_blank(text[i]))) {
        const char c = text[i];
        const char next = i + 1 < len ? text[i + 1] : '\0';

        i++;
        if (in == BARE && (c == '\'' || c == '"'))
            in = c == '"' ? DOUBLE : SINGLE;
        else if (in == BARE && c == '$' && next == '\'')
            in = DOLLAR, i++;
        else if (in != BARE && c == (in == DOUBLE ? '"' : '\''))
            in = BARE;
        else if (in == DOLLAR && c == '\\' && next)
            i = add_escape(word, text, i, len);
        else if (c == '\\' && next &&
                 ((in == BARE && strchr(" \t'\"#", next)) || (in == DOUBLE && next == '"')))
            sb_addc(word, next), i++;
        else
            sb_addc(word, c);
    }
    *open = in;
    return i;
}

bool words_split(const char *line, struct words *w, struct err *err)
{
    const size_t len = strlen(line);
    struct strbuf word = {0};
    enum quoting open = BARE;

    memset(w, 0, sizeof *w);
    for (size_t i = 0; i < len && open == BARE;) {
        if (is_blank(line[i])) {
            i++;
            continue;
        }
        if (line[i] == '#')
            break;
        sb_clear(&word);
        i = read_word(line, i, len, &word, &open);
        words_add(w, sb_text(&word));
    }
    sb_done(&word);
    if (open == BARE)
        return true;
    words_done(w);
    return err_set(err, ERR_USAGE, "missing closing %s", open == DOUBLE ? "\"" : "'");
}

size_t words_last(const char *line, size_t len, struct strbuf *word)
{
    enum quoting open = BARE;
    size_t i = 0;

    sb_clear(word);
    while (i < len) {
        const size_t start = i;

        if (is_blank(line[i])) {
            i++;
            continue;
        }
        sb_clear(word);
        i = read_word(line, i, len, word, &open);
        if (i == len)
            return start;
    }
    sb_clear(word);
    return len;
}

/* Appends the N bytes at TEXT as escapes of $'...'. */
static void add_hex(struct strbuf *sb, const char *text, size_t n)
{
    for (size_t i = 0; i < n; i++)
        sb_addf(sb, "\\x%02x", (unsigned char)text[i]);
}

void words_quote(struct strbuf *sb, const char *text)
{
    static const char plain[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
                                "0123456789_@%+=:,./-";
    const size_t len = strlen(text);
    const bool control = !utf8_is_plain(text, len);
    char escape[UTF8_ESCAPE_BYTES];
    size_t n, n_escape;
    uint32_t code;

    if (len && strspn(text, plain) == len) {
        sb_add(sb, text, len);
        return;
    }
    sb_adds(sb, control ? "$'" : "'");
    for (size_t i = 0; i < len; i += n) {
        n = utf8_escape_at(text + i, len - i, escape, &n_escape);
        if (n) {
            add_hex(sb, text + i, n);
            continue;
        }
        n = utf8_decode(text + i, len - i, &code);
        if (control && (text[i] == '\'' || text[i] == '\\'))
            sb_addf(sb, "\\%c", text[i]);
        else if (text[i] == '\'')
            sb_adds(sb, "'\\''");
        else
            sb_add(sb, text + i, n);
    }
    sb_addc(sb, '\'');
}
