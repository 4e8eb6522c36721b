/* name_flags.h: classifies slice names for captures and replays of graphs; each name once
 * (formats-trace.md section 11). */
#pragma once

#include "load/trace/trace_build.h"

enum name_flag {
    NAME_KNOWN = 1,
    NAME_BEGIN = 2,   /* StreamBeginCapture */
    NAME_END = 4,     /* StreamEndCapture */
    NAME_MEMCPY = 8,  /* a launch of this class, as the next two */
    NAME_MEMSET = 16,
    NAME_KERNEL = 32,
    NAME_REPLAY = 64, /* GraphLaunch */
    NAME_CAPTURE = 128, /* capture_SIZE_MODE */
};

/* Cache by string id of a log's profile. */
typedef VEC(uint8_t) name_flags;

uint8_t name_flags_of(name_flags *flags, const struct trace_log *log, strid name);
/* Parses capture_SIZE_MODE; *SIZE is INT64_MAX when too large. */
bool capture_name_read(struct text name, int64_t *size);
