/* terminfo.c: capabilities of a terminal type, also of built-in ones. Separate from
 * term_curses.c, because <term.h> defines conflicting names. */
#include "term/terminfo.h"

#include <ncurses.h>
#include <stdlib.h>
#include <string.h>
#include <term.h>

#include "base/xalloc.h"

struct entry {
    const char *name;
    const char *text; /* format of $TERMINFO */
};

static const struct entry entries[] = {
#include "term/terminfo_entries.h"
    {NULL, NULL},
};

/* Prefixes of the names of xterm-compatible terminals. */
static const char *const like_xterm[] = {
    "alacritty", "contour", "foot", "ghostty", "gnome", "iterm", "kitty", "konsole",
    "mintty", "ms-terminal", "putty", "st-", "vte", "wezterm", "xterm",
};

static const struct entry *find(const char *name)
{
    const struct entry *e = entries;

    while (e->name && strcmp(e->name, name) != 0)
        e++;
    return e->name ? e : NULL;
}

static bool is_like_xterm(const char *name)
{
    for (size_t i = 0; i < sizeof like_xterm / sizeof *like_xterm; i++)
        if (!strncmp(name, like_xterm[i], strlen(like_xterm[i])))
            return true;
    return false;
}

bool builtin_terminfo_use(const char *name)
{
    const struct entry *e = find(name);

    if (!e && is_like_xterm(name))
        e = find("xterm-256color");
    return e && setenv("TERMINFO", e->text, 1) == 0 && setenv("TERM", e->name, 1) == 0;
}

/* More than ncurses allocates to open a screen. If an allocation fails, ncurses exits, crashes, or
 * fails without a reason. */
enum { CURSES_BYTES = 4 << 20 };

static bool read_entry(const char *name, int fd)
{
    int found;

    free(xmalloc(CURSES_BYTES));
    return setupterm(name, fd, &found) == OK;
}

struct terminfo *terminfo_new(const char *name, int fd)
{
    /* Retry: the first failure may have been a temporary lack of memory. */
    if (!read_entry(name, fd) && !read_entry(name, fd) &&
        !(builtin_terminfo_use(name) && read_entry(getenv("TERM"), fd)))
        return NULL;
    return (struct terminfo *)(void *)cur_term;
}

void terminfo_free(struct terminfo *t)
{
    if (t && (TERMINAL *)(void *)t != cur_term)
        del_curterm((TERMINAL *)(void *)t);
}

const char *terminfo_text(const char *capability)
{
    const char *text = tigetstr(capability);

    return text == (const char *)-1 ? NULL : text;
}

void terminfo_add(struct strbuf *sb, const char *capability)
{
    const char *text = terminfo_text(capability);

    while (text && *text) {
        const char *close = text[0] == '$' && text[1] == '<' ? strchr(text, '>') : NULL;

        if (close)
            text = close + 1;
        else
            sb_addc(sb, *text++);
    }
}
