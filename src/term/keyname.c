/* keyname.c: text form of keys. */
#include "term/keyname.h"

#include <string.h>
#include <strings.h>

#include "base/utf8.h"
#include "term/term.h"

/* The first row of a key is used for writing; further rows are accepted when reading. */
static const struct {
    uint32_t key;
    const char *name, *label;
} names[] = {
    {TK_UP, "up", "Up"}, {TK_DOWN, "down", "Down"}, {TK_LEFT, "left", "Left"},
    {TK_RIGHT, "right", "Right"}, {TK_HOME, "home", "Home"}, {TK_END, "end", "End"},
    {TK_PAGE_UP, "pgup", "PgUp"}, {TK_PAGE_DOWN, "pgdn", "PgDn"}, {TK_INSERT, "ins", "Ins"},
    {TK_DELETE, "del", "Del"}, {TK_BACKSPACE, "bs", "Backspace"}, {TK_ENTER, "ret", "Enter"},
    {TK_TAB, "tab", "Tab"}, {TK_BACKTAB, "s-tab", "Shift-Tab"}, {TK_ESC, "esc", "Esc"},
    {TK_F1, "f1", "F1"}, {TK_F2, "f2", "F2"}, {TK_F3, "f3", "F3"}, {TK_F4, "f4", "F4"},
    {TK_F5, "f5", "F5"}, {TK_F6, "f6", "F6"}, {TK_F7, "f7", "F7"}, {TK_F8, "f8", "F8"},
    {TK_F9, "f9", "F9"}, {TK_F10, "f10", "F10"}, {TK_F11, "f11", "F11"}, {TK_F12, "f12", "F12"},
    {' ', "space", "Space"}, {'<', "lt", "<"}, {'>', "gt", ">"}, {TK_ENTER, "enter", NULL},
    {TK_ENTER, "cr", NULL}, {TK_BACKSPACE, "backspace", NULL}, {TK_DELETE, "delete", NULL},
    {TK_PAGE_UP, "pageup", NULL}, {TK_PAGE_DOWN, "pagedown", NULL},
};

enum { N_NAMES = sizeof names / sizeof *names };

static const struct {
    uint32_t bit;
    const char *name, *label;
} modifiers[] = {
    {TK_CTRL, "c-", "Ctrl-"},
    {TK_ALT, "a-", "Alt-"},
    {TK_SHIFT, "s-", "Shift-"},
};

enum { N_MODIFIERS = sizeof modifiers / sizeof *modifiers };

static uint32_t lower(uint32_t c)
{
    return c >= 'A' && c <= 'Z' ? c + ('a' - 'A') : c;
}

uint32_t key_normal(uint32_t key)
{
    uint32_t bits = key & TK_MODIFIERS;
    uint32_t base = key & ~(uint32_t)TK_MODIFIERS;

    if (bits & TK_CTRL) {
        base = lower(base);
        /* Terminals send these control characters for keys of their own (Tab, Enter, Backspace). */
        if (base == 'i' || base == 'm' || base == 'j' || base == 'h') {
            bits &= ~(uint32_t)TK_CTRL;
            base = base == 'i' ? TK_TAB : base == 'h' ? TK_BACKSPACE : TK_ENTER;
        }
    }
    if (bits & TK_SHIFT && base < TK_BASE) {
        bits &= ~(uint32_t)TK_SHIFT;
        if (base >= 'a' && base <= 'z' && !(bits & TK_CTRL))
            base -= 'a' - 'A';
    }
    if (bits & TK_SHIFT && (base == TK_TAB || base == TK_BACKTAB)) {
        bits &= ~(uint32_t)TK_SHIFT;
        base = TK_BACKTAB;
    }
    return bits | base;
}

/* Parses a key without modifiers: one character or a name in the table. */
static bool find_base(const char *text, size_t len, uint32_t *key)
{
    if (len && utf8_decode(text, len, key) == len && *key > ' ' && *key != 0x7f)
        return true;
    for (size_t i = 0; i < N_NAMES; i++) {
        if (strlen(names[i].name) == len && !strncasecmp(names[i].name, text, len)) {
            *key = names[i].key;
            return true;
        }
    }
    return false;
}

/* Parses the name between the brackets. */
static bool parse_name(const char *text, size_t len, uint32_t *key)
{
    uint32_t bits = 0;

    while (len > 2) {
        size_t i = 0;

        while (i < N_MODIFIERS && strncasecmp(text, modifiers[i].name, 2) != 0)
            i++;
        if (i == N_MODIFIERS)
            break;
        bits |= modifiers[i].bit;
        text += 2;
        len -= 2;
    }
    if (!find_base(text, len, key))
        return false;
    *key = key_normal(*key | bits);
    return true;
}

size_t key_parse(const char *text, size_t len, uint32_t *key)
{
    enum { LONGEST_NAME = 24 };
    const char *close;
    size_t bytes;

    if (!len)
        return 0;
    close = *text == '<' ? memchr(text, '>', len < LONGEST_NAME ? len : LONGEST_NAME) : NULL;
    if (close)
        return parse_name(text + 1, (size_t)(close - text - 1), key) ? (size_t)(close - text) + 1 : 0;
    bytes = utf8_decode(text, len, key);
    return bytes && *key >= ' ' && *key != 0x7f ? bytes : 0;
}

static const char *base_text(uint32_t base, bool label)
{
    for (size_t i = 0; i < N_NAMES; i++)
        if (names[i].key == base)
            return label ? names[i].label : names[i].name;
    return NULL;
}

void key_name(struct strbuf *sb, uint32_t key)
{
    uint32_t base = key & ~(uint32_t)TK_MODIFIERS;
    const char *text = base_text(base, false);

    if (base == key && !text) {
        utf8_encode(sb, key);
        return;
    }
    sb_addc(sb, '<');
    for (size_t i = 0; i < N_MODIFIERS; i++)
        if (key & modifiers[i].bit)
            sb_adds(sb, modifiers[i].name);
    if (text)
        sb_adds(sb, text);
    else
        utf8_encode(sb, base);
    sb_addc(sb, '>');
}

void key_label(struct strbuf *sb, uint32_t key)
{
    uint32_t base = key & ~(uint32_t)TK_MODIFIERS;
    const char *text = base_text(base, true);

    if ((key & TK_CTRL) && !(key & (TK_ALT | TK_SHIFT)) && base >= 'a' && base <= 'z') {
        sb_addf(sb, "^%c", (char)(base - 'a' + 'A'));
        return;
    }
    for (size_t i = 0; i < N_MODIFIERS; i++)
        if (key & modifiers[i].bit)
            sb_adds(sb, modifiers[i].label);
    if (text)
        sb_adds(sb, text);
    else
        utf8_encode(sb, base);
}
