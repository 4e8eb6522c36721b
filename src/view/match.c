/* match.c: the stage that matches regex lists against names and devices of rows. */
#include <stddef.h>

#include "view/device.h"
#include "view/stages.h"

static const struct {
    const char *option;
    size_t offset;
} name_lists[NAMES_COUNT] = {
    [NAMES_START] = {"start_name_regexes", offsetof(struct options, start_name_regexes)},
    [NAMES_TRIM] = {"trim_name_regexes", offsetof(struct options, trim_name_regexes)},
    [NAMES_SHOW] = {"show_name_regexes", offsetof(struct options, show_name_regexes)},
    [NAMES_HIDE] = {"hide_name_regexes", offsetof(struct options, hide_name_regexes)},
};

static struct filter_work work_of(const struct query_run *run)
{
    return (struct filter_work){run->c->tree, run->pool, run->workers, run->cancel};
}

bool match_names(const struct query_run *run, struct err *err)
{
    struct columns *c = run->c;
    const struct filter_work work = work_of(run);

    for (int f = 0; f < NAMES_COUNT; f++) {
        const char *list = *(char *const *)((const char *)run->options + name_lists[f].offset);

        if (!filter_update(&run->names[f], name_lists[f].option, list, &work, err))
            return false;
        column_unref(c->match[f]);
        c->match[f] = column_ref(run->names[f].match);
        c->kind[f] = run->names[f].kind;
    }
    return true;
}

bool match_devices(const struct query_run *run, struct err *err)
{
    struct columns *c = run->c;
    const struct filter_work work = work_of(run);

    if (!device_filter_update(run->device, run->options->device_regexes,
                              COLUMN(c->node_accounted, uint8_t), run->view->is_multi, &work,
                              err))
        return false;
    column_unref(c->device_match);
    c->device_match = column_ref(run->device->match);
    return true;
}

void match_drop_names(const struct query_run *run)
{
    for (int f = 0; f < NAMES_COUNT; f++)
        filter_done(&run->names[f]);
}

void match_drop_devices(const struct query_run *run)
{
    filter_done(run->device);
}

void match_note(const struct query_run *run, struct notes *notes)
{
    for (int f = 0; f < NAMES_COUNT; f++)
        filter_note(&run->names[f], name_lists[f].option, notes);
    filter_note(run->device, "device_regexes", notes);
}
