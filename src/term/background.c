/* background.c: parses the background colour that a terminal reports. */
#include "term/terminfo.h"

#include <ctype.h>
#include <string.h>

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
