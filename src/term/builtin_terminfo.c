/* builtin_terminfo.c: built-in terminfo entries, for machines without a terminfo database. */
#include "term/terminfo.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

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
