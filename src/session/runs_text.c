/* runs_text.c: runs of a log folder as text. */
#include "session/runs_text.h"

#include <inttypes.h>
#include <string.h>
#include <time.h>

#include "model/format.h"
#include "session/words.h"

void run_name(struct strbuf *sb, const struct log_run *run, const char *folder)
{
    static const char plugins[] = "plugins/profile/";
    const size_t len = strlen(folder), before = sb->len;
    const char *name = strncmp(run->path, folder, len) == 0 ? run->path + len : run->path;
    const char *inner;

    name += strspn(name, "/");
    inner = strstr(name, plugins);
    if (inner && (inner == name || inner[-1] == '/')) {
        sb_add(sb, name, (size_t)(inner - name));
        name = inner + sizeof plugins - 1;
    }
    sb_adds(sb, name);
    if (sb->len == before)
        sb_addc(sb, '.');
}

void run_facts(struct strbuf *sb, const struct log_run *run)
{
    const time_t changed = (time_t)run->changed_s;
    struct strbuf steps = {0}, size = {0};
    char date[32] = "";
    struct tm tm;

    if (run->n_steps == RUN_STEPS_NONE)
        sb_adds(&steps, "-");
    else if (run->n_steps == 0)
        sb_adds(&steps, "graph alone");
    else if (run->n_steps > 0)
        sb_addf(&steps, "%" PRId64 " step%s", run->n_steps, run->n_steps == 1 ? "" : "s");
    format_value(&size, UNIT_BYTES, (int64_t)run->size_bytes);
    if (localtime_r(&changed, &tm))
        strftime(date, sizeof date, "%Y-%m-%d %H:%M", &tm);
    sb_addf(sb, "%11s  %10s  %s", sb_text(&steps), sb_text(&size), date);
    sb_done(&steps);
    sb_done(&size);
}

void runs_print(struct strbuf *sb, const struct log_runs *runs)
{
    struct strbuf path = {0};
    size_t widest = 3;

    for (int pass = 0; pass < 2; pass++) {
        if (pass)
            sb_addf(sb, "%-*s  %11s  %10s  CHANGED\n", (int)widest, "RUN", "STEPS", "SIZE");
        for (size_t i = 0; i < runs->list.n; i++) {
            sb_clear(&path);
            words_quote(&path, runs->list.data[i].path);
            widest = path.len > widest ? path.len : widest;
            if (!pass)
                continue;
            sb_addf(sb, "%-*s  ", (int)widest, sb_text(&path));
            run_facts(sb, &runs->list.data[i]);
            sb_addc(sb, '\n');
        }
    }
    sb_done(&path);
}
