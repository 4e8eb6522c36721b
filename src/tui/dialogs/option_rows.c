/* option_rows.c: options that the screen can edit: not inputs, aliases or ignored options. The
 * thresholds are the last ones. */
#include "tui/dialogs/option_rows.h"

#include <string.h>

static bool is_row(const struct option *opt)
{
    return !opt->stands_for && opt->stages != STAGE_LOAD && opt->stages != STAGE_NONE;
}

size_t option_rows_n(void)
{
    size_t n = 0;

    for (size_t i = 0; i < option_table_n; i++)
        n += is_row(&option_table[i]);
    return n;
}

static bool is_threshold(const struct option *opt)
{
    return strncmp(opt->name, "min_", strlen("min_")) == 0;
}

const struct option *option_row(size_t i)
{
    for (int pass = 0; pass < 2; pass++)
        for (const struct option *opt = option_table; opt < option_table + option_table_n; opt++)
            if (is_row(opt) && is_threshold(opt) == pass && i-- == 0)
                return opt;
    return option_table;
}

void option_row_value(struct strbuf *sb, const struct options *o, const struct option *opt)
{
    const size_t before = sb->len;

    option_print(sb, o, opt);
    sb_adds(sb, sb->len == before ? "(none)" : "");
}

size_t option_rows_changed(const struct options *o, enum view_id view)
{
    size_t n = 0;

    for (const struct option *opt = option_table; opt < option_table + option_table_n; opt++)
        n += is_row(opt) && option_is_changed(o, opt, view);
    return n;
}
