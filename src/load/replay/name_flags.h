/* name_flags.h: what names of slices mean for captures and replays of graphs, looked at once per name
 * (formats-trace.md section 11). */
#pragma once

#include "load/trace/trace_build.h"

enum name_flag {
    NAME_KNOWN = 1,
    NAME_BEGIN = 2,   /* StreamBeginCapture */
    NAME_END = 4,     /* StreamEndCapture */
    NAME_MEMCPY = 8,  /* a launch of that class: these three */
    NAME_MEMSET = 16,
    NAME_KERNEL = 32,
    NAME_REPLAY = 64, /* GraphLaunch */
    NAME_CAPTURE = 128, /* capture_SIZE_MODE */
};

/* By string of the profile of a log. */
typedef VEC(uint8_t) name_flags;

uint8_t name_flags_of(name_flags *flags, const struct trace_log *log, strid name);
/* True for capture_SIZE_MODE; sets *SIZE, INT64_MAX when it is too large. */
bool capture_name_read(struct text name, int64_t *size);
