/* table_selection.c: selects the events of a table by its options. */
#include "view/breakdown/table_selection.h"

#include "view/query.h"
#include "view/step_times.h"

static bool choose_step(const struct table_request *request, int64_t *step, struct err *err)
{
    const struct profile *p = request->profile;
    const struct options *o = request->options;
    struct step_times times = {.profile = NULL};
    bool chosen;

    if (!query_check_step(p, "step", o->step, err) || !query_check_rank(p, o->rank, err))
        return false;
    chosen = step_choose(&times, p, "step", &o->step_value, o->rank, request->cancel, step, err);
    step_times_done(&times);
    return chosen;
}

bool table_get_selection(struct selection_request *wanted, const struct table_request *request,
                 struct err *err)
{
    const struct options *o = request->options;

    *wanted = (struct selection_request){
        .rank = o->rank, .device_regexes = o->device_regexes, .range = o->time_range};
    return choose_step(request, &wanted->step, err);
}

bool table_select(struct selection *sel, const struct table_request *request, struct err *err)
{
    struct selection_request wanted;

    return table_get_selection(&wanted, request, err) &&
           selection_open(sel, request->profile, &wanted, request->cancel, err);
}
