/* run_runs.c: the runs of a log folder as a list. */
#include "cli/run_runs.h"

#include "cli/print.h"
#include "session/runs_text.h"

static const struct cancel_mark never = {NULL, 0};

/* Each run is printed as soon as its steps are counted: to read all of them may take long. */
static bool print_runs(struct log_runs *runs, struct err *err)
{
    struct strbuf text = {0};
    const size_t width = runs_heading(&text, runs);
    bool ok = print_text(&text, err);

    for (size_t i = 0; ok && i < runs->list.n; i++) {
        struct err ignored = {0}; /* its steps are not known then, which is seen */

        run_count_steps(&runs->list.data[i], never, &ignored);
        sb_clear(&text);
        runs_row(&text, &runs->list.data[i], width);
        ok = print_text(&text, err);
        err_done(&ignored);
    }
    sb_done(&text);
    return ok;
}

bool run_runs(struct command_line *cl, struct err *err)
{
    struct log_runs runs = {.is_cut = false};
    bool ok;

    if (cl->files.n != 1)
        return err_set(err, ERR_USAGE, "runs: name one folder");
    runs_find(&runs, cl->files.items[0], never);
    ok = runs.list.n ? print_runs(&runs, err)
                     : err_set(err, ERR_INPUT, "%s: has no runs: neither captures nor event files",
                               cl->files.items[0]);
    runs_done(&runs);
    return ok;
}

void list_runs_to_choose(const struct command_line *cl)
{
    struct log_runs runs = {.is_cut = false};
    struct err ignored = {0}; /* the error that led here is said */

    if (cl->files.n == 1 && runs_offer(&runs, cl->files.items[0], never))
        print_runs(&runs, &ignored);
    err_done(&ignored);
    runs_done(&runs);
}
