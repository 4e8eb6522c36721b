/* kind_options.c: figures and order that come first for a kind of input. */
#include "session/kind_options.h"

#include "model/profile_kind.h"
#include "session/command_line.h"

bool kind_options(struct options *o, const struct words *said, unsigned kind)
{
    const field_set threads = FIELD_BIT(METRIC_WORK_MICROS) | FIELD_BIT(METRIC_WAIT_MICROS) |
                              FIELD_BIT(METRIC_OCCURRENCE);
    const bool has_devices = kind == PROFILE_DEVICE;

    if (kind < PROFILE_TRACE)
        return false;
    if (!option_is_said(said, "select"))
        o->select = threads | (has_devices ? FIELD_BIT(METRIC_ACCELERATOR_MICROS) : 0);
    if (!option_is_said(said, "order_by"))
        o->order_by = ORDER_METRIC + (has_devices ? (int)METRIC_ACCELERATOR_MICROS
                                                  : (int)METRIC_WORK_MICROS);
    return true;
}
