/* environment.c: terminal properties from environment variables. */
#include "term/terminfo.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

static bool is_set(const char *name)
{
    const char *value = getenv(name);

    return value && *value;
}

int environment_esc_delay_ms(void)
{
    enum { LOCAL_MS = 25, NETWORK_MS = 100 };

    if (is_set("ESCDELAY"))
        return -1;
    return is_set("SSH_CONNECTION") || is_set("SSH_TTY") ? NETWORK_MS : LOCAL_MS;
}

bool environment_answers_background(const char *term)
{
    static const char *const kinds[] = {"xterm", "tmux",    "rxvt-unicode", "alacritty", "foot",
                                        "kitty", "wezterm", "konsole",      "gnome",     "vte",
                                        "st-",   "contour", "ghostty",      "mlterm",    "iterm"};

    if (is_set("STY"))
        return false;
    if (is_set("TMUX") && strncmp(term, "screen", 6) == 0)
        return true;
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (strncmp(term, kinds[i], strlen(kinds[i])) == 0)
            return true;
    return false;
}
