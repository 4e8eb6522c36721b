/* option_rows.c: options that the screen can edit: not inputs, aliases or ignored options. */
#include "tui/dialogs/option_rows.h"

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

const struct option *option_row(size_t i)
{
    const struct option *opt = option_table;

    while (!is_row(opt) || i-- > 0)
        opt++;
    return opt;
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
