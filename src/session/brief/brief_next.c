/* brief_next.c: suggested commands, quoted for a shell. */
#include <string.h>

#include "session/brief/brief_parts.h"

static void add_files(struct strbuf *sb, const struct brief *b)
{
    command_add_files(sb, &b->inputs);
}

static void add_base_and_now(struct strbuf *sb, const struct brief *b)
{
    const char *now = b->session->files.n == 1 ? b->session->files.items[0] : NULL;

    if (!now || strchr(b->options->diff_base, ',')) {
        sb_adds(sb, "tfprof scope");
        add_files(sb, b);
        sb_adds(sb, " -diff_base");
        command_add_word(sb, b->options->diff_base);
        sb_adds(sb, " -output json");
        return;
    }
    sb_adds(sb, "tfprof diff");
    command_add_word(sb, b->options->diff_base);
    command_add_word(sb, now);
    sb_adds(sb, " -output json");
}

void brief_find_next(struct brief *b)
{
    struct strbuf sb = {0};

    if (b->findings.list.n > 0) {
        command_add_finding(&sb, &b->inputs, &b->findings.list.data[0]);
    } else {
        sb_adds(&sb, "tfprof op");
        add_files(&sb, b);
        sb_adds(&sb, b->metric == METRIC_ACCELERATOR_MICROS ? " -order_by accelerator_micros" : "");
        sb_adds(&sb, " -top 20 -output json");
    }
    b->next[0] = sb_take(&sb);
    if (b->findings.list.n > 1) {
        command_add_finding(&sb, &b->inputs, &b->findings.list.data[1]);
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
