/* terminfo.c: capabilities of a terminal type. Separate from term_curses.c, because <term.h>
 * defines conflicting names. */
#include "term/terminfo.h"

#include <ncurses.h>
#include <stdlib.h>
#include <string.h>
#include <term.h>

#include "base/xalloc.h"

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
