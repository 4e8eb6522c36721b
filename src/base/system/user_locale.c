/* user_locale.c: sets the locale from the environment. */
#include "base/system/user_locale.h"

#include <locale.h>
#include <stdbool.h>
#include <stdlib.h>
#include <strings.h>

/* Name of the locale that the environment requests, in the order of POSIX (XBD 8.2). */
static const char *wanted_name(void)
{
    static const char *const variables[] = {"LC_ALL", "LC_CTYPE", "LANG"};

    for (size_t i = 0; i < sizeof variables / sizeof *variables; i++) {
        const char *name = getenv(variables[i]);

        if (name && *name)
            return name;
    }
    return "C";
}

static bool is_utf8(const char *name)
{
    const char *dot = name;

    while (*dot && *dot != '.')
        dot++;
    return !strncasecmp(dot, ".utf-8", 6) || !strncasecmp(dot, ".utf8", 5);
}

void user_locale_set(void)
{
    if (!setlocale(LC_ALL, "") && is_utf8(wanted_name()))
        setlocale(LC_CTYPE, "C.UTF-8");
    setlocale(LC_NUMERIC, "C");
}
