/* brief_next.c: commands that show more, quoted for a shell. */
#include <inttypes.h>
#include <string.h>

#include "base/regex/regexes.h"
#include "base/utf8.h"
#include "session/brief/brief_parts.h"

/* One word in single quotes; where it has characters that cannot be shown, as words_quote(). */
static void add_quoted(struct strbuf *sb, const char *text)
{
    if (!utf8_is_plain(text, strlen(text))) {
        words_quote(sb, text);
        return;
    }
    sb_addc(sb, '\'');
    for (const char *c = text; *c; c++)
        if (*c == '\'')
            sb_adds(sb, "'\\''");
        else
            sb_addc(sb, *c);
    sb_addc(sb, '\'');
}

static void add_word(struct strbuf *sb, const char *text)
{
    const size_t n = strspn(text, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_./-+@%:=,");

    sb_addc(sb, ' ');
    if (text[0] == '-' && text[1])
        sb_adds(sb, "./");
    if (n && !text[n])
        sb_adds(sb, text);
    else
        add_quoted(sb, text);
}

/* Options that name inputs are given again. */
static void add_files(struct strbuf *sb, const struct brief *b)
{
    const struct options *o = b->options;

    for (size_t i = 0; i < b->session->files.n; i++)
        add_word(sb, b->session->files.items[i]);
    for (size_t i = 0; i < option_table_n; i++) {
        struct strbuf value = {0};

        if (option_table[i].stages != STAGE_LOAD || option_table[i].stands_for ||
            option_is_default(o, &option_table[i]) || strcmp(option_table[i].name, "diff_base") == 0)
            continue;
        option_print(&value, o, &option_table[i]);
        sb_addf(sb, " -%s", option_table[i].name);
        add_word(sb, sb_text(&value));
        sb_done(&value);
    }
}

/* A regex that matches the name of NODE alone; bytes that cannot be shown are escaped. */
static void add_regex(struct strbuf *sb, const struct profile *p, node_id node)
{
    const struct text name = intern_string(&p->strings, p->name[node]);
    struct strbuf quoted = {0}, plain = {0};

    regexes_quote(&quoted, name.bytes, name.len);
    for (size_t i = 0; i < quoted.len; i++) {
        const unsigned char c = (unsigned char)quoted.data[i];

        if (c < 0x20 || c == 0x7f)
            sb_addf(&plain, "\\x%02x", c);
        else
            sb_addc(&plain, (char)c);
    }
    sb_addc(sb, ' ');
    add_quoted(sb, sb_text(&plain));
    sb_done(&quoted);
    sb_done(&plain);
}

void brief_add_command(struct strbuf *sb, const struct brief *b, const struct finding *f)
{
    const bool has_row = f->node != NODE_NONE;

    sb_addf(sb, "tfprof %s", has_row ? "scope" : f->rule->command);
    add_files(sb, b);
    if (has_row) {
        sb_adds(sb, " -step all -max_depth all -show_name_regexes");
        add_regex(sb, b->p, f->node);
    } else if (f->step != INT64_MIN) {
        sb_addf(sb, " -step %" PRId64, f->step);
    }
    sb_adds(sb, " -output json");
}

static void add_base_and_now(struct strbuf *sb, const struct brief *b)
{
    const char *now = b->session->files.n == 1 ? b->session->files.items[0] : NULL;

    if (!now || strchr(b->options->diff_base, ',')) {
        sb_adds(sb, "tfprof scope");
        add_files(sb, b);
        sb_adds(sb, " -diff_base");
        add_word(sb, b->options->diff_base);
        sb_adds(sb, " -output json");
        return;
    }
    sb_adds(sb, "tfprof diff");
    add_word(sb, b->options->diff_base);
    add_word(sb, now);
    sb_adds(sb, " -output json");
}

void brief_find_next(struct brief *b)
{
    struct strbuf sb = {0};

    if (b->findings.list.n > 0) {
        brief_add_command(&sb, b, &b->findings.list.data[0]);
    } else {
        sb_adds(&sb, "tfprof op");
        add_files(&sb, b);
        sb_adds(&sb, b->metric == METRIC_ACCELERATOR_MICROS ? " -order_by accelerator_micros" : "");
        sb_adds(&sb, " -top 20 -output json");
    }
    b->next[0] = sb_take(&sb);
    if (b->findings.list.n > 1) {
        brief_add_command(&sb, b, &b->findings.list.data[1]);
    } else {
        sb_adds(&sb, b->verdict.n_devices ? "tfprof anatomy" : "tfprof summary");
        add_files(&sb, b);
        sb_adds(&sb, " -output json");
    }
    b->next[1] = sb_take(&sb);
    if (b->session->base) {
        add_base_and_now(&sb, b);
    } else {
        sb_adds(&sb, b->p->n_nodes ? "tfprof sql 'SELECT name, op FROM nodes LIMIT 20'"
                                   : "tfprof sql 'SELECT * FROM files'");
        add_files(&sb, b);
        sb_adds(&sb, " -output json");
    }
    b->next[2] = sb_take(&sb);
}
