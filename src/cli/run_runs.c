/* run_runs.c: the runs of a log folder as a list. */
#include "cli/run_runs.h"

#include "cli/print.h"
#include "session/runs_text.h"

static const struct cancel_mark never = {NULL, 0};

static bool print_runs(struct log_runs *runs, struct err *err)
{
    struct strbuf text = {0};
    bool ok;

    for (size_t i = 0; i < runs->list.n; i++) {
        struct err ignored = {0}; /* its steps are not known then, which is seen */

        run_count_steps(&runs->list.data[i], never, &ignored);
        err_done(&ignored);
    }
    runs_print(&text, runs);
    ok = print_text(&text, err);
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
