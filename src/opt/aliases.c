/* aliases.c: the table of retired names. */
#include "opt/aliases.h"

#include <stddef.h>
#include <string.h>

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
