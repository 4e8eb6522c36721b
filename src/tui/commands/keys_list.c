/* keys_list.c: the keys of the screen as text. */
#include "tui/commands/keys_list.h"

#include <string.h>

#include "tui/commands/action.h"

static void add_key_line(struct strbuf *sb, const struct action *action)
{
    sb_addf(sb, "  %-16s %-18s %s\n", action->keys ? action->keys : "", action->name, action->help);
}

bool keys_list(struct strbuf *sb, const char *word)
{
    const size_t before = sb->len;
    const char *group = "";

    for (const struct action *action = action_table; action->name; action++) {
        if (word && !strcasestr(action->name, word) && !strcasestr(action->help, word))
            continue;
        if (!word && strcmp(group, action->group) != 0)
            sb_addf(sb, "%s%s\n", *group ? "\n" : "", action->group);
        else if (word && sb->len == before)
            sb_adds(sb, "Keys of the screen\n");
        group = action->group;
        add_key_line(sb, action);
    }
    return sb->len > before;
}
