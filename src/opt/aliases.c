/* aliases.c: the table of retired names and what replaced them. */
#include "opt/aliases.h"

#include <stddef.h>
#include <string.h>

#include "base/strbuf.h"

static const struct alias {
    enum alias_kind kind;
    const char *retired, *present;
} aliases[] = {
    {ALIAS_COMMAND, "anatomy", "breakdown"},
    {ALIAS_ACTION, "icicle", "flame-graph"},
    {ALIAS_ACTION, "fold-twins", "fold-layers"},
    {ALIAS_ACTION, "lanes", "timeline"},
    {ALIAS_ACTION, "lanes-zoom-in", "timeline-zoom-in"},
    {ALIAS_ACTION, "lanes-zoom-out", "timeline-zoom-out"},
    {ALIAS_ACTION, "lanes-all", "timeline-all"},
    {ALIAS_ACTION, "lanes-gap-next", "timeline-gap-next"},
    {ALIAS_ACTION, "lanes-gap-previous", "timeline-gap-previous"},
    {ALIAS_ACTION, "lanes-range", "timeline-range"},
    {ALIAS_ACTION, "lanes-range-all", "timeline-range-all"},
    {ALIAS_ACTION, "lanes-group", "timeline-group"},
    {ALIAS_CONTEXT, "icicle", "flame-graph"},
    {ALIAS_CONTEXT, "lanes", "timeline"},
};

const char *alias_resolve(enum alias_kind kind, const char *name)
{
    for (size_t i = 0; i < sizeof aliases / sizeof *aliases; i++)
        if (aliases[i].kind == kind && strcmp(aliases[i].retired, name) == 0)
            return aliases[i].present;
    return name;
}

/* Retired row names as they appear in regexes. */
static const struct {
    const char *retired, *present;
} rows[] = {
    {"unlaunched", "no recorded launch"},
    {"no Python frame", "no Python stack"},
};

const char *alias_rows(struct strbuf *sb, const char *list)
{
    const char *first = NULL;

    while (*list) {
        size_t i = 0;

        while (i < sizeof rows / sizeof *rows &&
               strncmp(list, rows[i].retired, strlen(rows[i].retired)) != 0)
            i++;
        if (i == sizeof rows / sizeof *rows) {
            sb_addc(sb, *list++);
            continue;
        }
        sb_adds(sb, rows[i].present);
        list += strlen(rows[i].retired);
        first = first ? first : rows[i].present;
    }
    return first;
}
