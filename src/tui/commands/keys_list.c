/* keys_list.c: the keys of the screen as text. */
#include "tui/commands/keys_list.h"

#include <string.h>

#include "tui/action.h"

static void add_key_line(struct strbuf *sb, const struct action *action)
{
    sb_addf(sb, "  %-16s %-18s %s\n", action->keys ? action->keys : "", action->name, action_help(action));
}

static bool has_key(const struct action *action, const char *key)
{
    const size_t len = strlen(key);

    for (const char *at = action->keys ? action->keys : ""; *at; at += strspn(at, " ")) {
        const size_t n = strcspn(at, " ");

        if (n == len && memcmp(at, key, n) == 0)
            return true;
        at += n;
    }
    return false;
}

static bool is_key(const char *word)
{
    for (const struct action *action = action_table; action->name; action++)
        if (has_key(action, word))
            return true;
    return false;
}

bool keys_list(struct strbuf *sb, const char *word)
{
    const size_t before = sb->len;
    const bool of_key = word && is_key(word);
    const char *group = "";

    for (const struct action *action = action_table; action->name; action++) {
        if (of_key ? !has_key(action, word)
                   : word && !strcasestr(action->name, word) && !strcasestr(action_help(action), word))
            continue;
        if (!word && strcmp(group, action_group(action)) != 0)
            sb_addf(sb, "%s%s\n", *group ? "\n" : "", action_group(action));
        else if (word && sb->len == before)
            sb_adds(sb, "Keys of the screen\n");
        group = action_group(action);
        add_key_line(sb, action);
    }
    return sb->len > before;
}
