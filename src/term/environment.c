/* environment.c: terminal properties from environment variables, and the background colour that
 * it reports. */
#include "term/terminfo.h"

#include <ctype.h>
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

enum { DIGITS_MAX = 4 };

static int digit_value(char c)
{
    return c <= '9' ? c - '0' : tolower((unsigned char)c) - 'a' + 10;
}

/* Reads one to four hexadecimal digits from *TEXT, up to END, and scales them to 0..1. Negative if
 * there are none. */
static double read_component(const char **text, const char *end)
{
    double value = 0, most = 1;
    int n = 0;

    for (; *text < end && isxdigit((unsigned char)**text); (*text)++, n++) {
        value = value * 16 + digit_value(**text);
        most *= 16;
    }
    return n >= 1 && n <= DIGITS_MAX ? value / (most - 1) : -1;
}

bool background_parse(const char *text, size_t len, bool *is_light)
{
    static const double weights[] = {0.2126, 0.7152, 0.0722};
    const char *end = text + len;
    const char *at = memchr(text, ':', len);
    double luminance = 0;

    if (!at)
        return false;
    /* Relative luminance of WCAG 2.1, with the exponent 2.4 approximated by 2. Black and white have
     * equal contrast to 0.179. The alpha of "rgba:" is ignored. */
    for (int i = 0; i < 3; i++) {
        double part;

        if (at == end || *at != (i ? '/' : ':'))
            return false;
        at++;
        part = read_component(&at, end);
        if (part < 0)
            return false;
        luminance += weights[i] * part * part;
    }
    *is_light = luminance > 0.179;
    return true;
}
