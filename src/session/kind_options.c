/* kind_options.c: figures and order that come first for a kind of input. */
#include "session/kind_options.h"

#include "export/output.h"
#include "model/profile_kind.h"
#include "session/command_line.h"

static bool shows_one_figure(const struct options *o)
{
    struct output_spec spec;
    struct err ignored = {0}; /* a wrong -output is said where it is used */
    bool is_one = false;

    if (output_parse(o->output, &spec, &ignored)) {
        is_one = spec.output->one_figure;
        output_spec_done(&spec);
    }
    err_done(&ignored);
    return is_one;
}

bool kind_options(struct options *o, const struct words *said, unsigned kind)
{
    const field_set threads = FIELD_BIT(METRIC_WORK_MICROS) | FIELD_BIT(METRIC_WAIT_MICROS) |
                              FIELD_BIT(METRIC_OCCURRENCE);
    const enum metric_id main =
        kind == PROFILE_DEVICE ? METRIC_ACCELERATOR_MICROS : METRIC_WORK_MICROS;

    if (kind < PROFILE_TRACE)
        return false;
    if (!option_is_said(said, "select"))
        o->select = FIELD_BIT(main) | (shows_one_figure(o) ? 0 : threads);
    if (!option_is_said(said, "order_by"))
        o->order_by = ORDER_METRIC + (int)main;
    return true;
}
