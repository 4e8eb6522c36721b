/* thrift_out.h: writes structures in Thrift's compact protocol, which the metadata of Parquet files
 * uses.
 *
 * Source: the specification of that protocol in apache/thrift. Fields are written in
 * ascending order of their ids, and their ids differ by at most 15. */
#pragma once

#include <stdint.h>

#include "base/strbuf.h"

enum thrift_type { THRIFT_I32 = 5, THRIFT_I64 = 6, THRIFT_BINARY = 8, THRIFT_LIST = 9,
                   THRIFT_STRUCT = 12 };

enum { THRIFT_MAX_DEPTH = 8 };

/* Initialise with zeros and SB (borrowed), before the first field of a structure. */
struct thrift_out {
    struct strbuf *sb;
    unsigned depth;
    int last_id[THRIFT_MAX_DEPTH]; /* id of the previous field, by depth */
};

/* Write one field: a 32-bit or 64-bit integer, or bytes. */
void thrift_int(struct thrift_out *t, int id, enum thrift_type type, int64_t value);
void thrift_text(struct thrift_out *t, int id, const char *bytes, size_t len);
/* Begins a field that is a structure; thrift_end() ends it. */
void thrift_begin(struct thrift_out *t, int id);
/* Begins a field that is a list of N elements of TYPE, which follow. */
void thrift_list(struct thrift_out *t, int id, enum thrift_type type, size_t n);
/* Elements of a list: an integer, bytes, or a structure that thrift_end() ends. */
void thrift_element_int(struct thrift_out *t, int64_t value);
void thrift_element_text(struct thrift_out *t, const char *bytes, size_t len);
void thrift_element_begin(struct thrift_out *t);
/* Ends the innermost structure, which may be the outermost one. */
void thrift_end(struct thrift_out *t);
