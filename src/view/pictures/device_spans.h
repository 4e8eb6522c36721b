/* device_spans.h: the executions of a device in the order of time, before they have threads. */
#ifndef TFPROF_VIEW_PICTURES_DEVICE_SPANS_H
#define TFPROF_VIEW_PICTURES_DEVICE_SPANS_H

#include "base/vec.h"
#include "model/profile.h"

struct device_span {
    int64_t start_ticks, end_ticks; /* no farther apart than a number can tell */
    node_id node;
    uint32_t thread;
};
typedef VEC(struct device_span) device_spans;

/* Sorts by start, the later end first, then by node: in linear time but for spans of one start. */
void device_spans_sort(device_spans *spans);

#endif
