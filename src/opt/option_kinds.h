/* option_kinds.h: how option values are stored, read and printed, by kind.  Private to opt. */
#pragma once

#include "opt/options.h"

/* The C type at an option's offset. */
enum storage { STORE_INT64, STORE_INT, STORE_BOOL, STORE_SET, STORE_TEXT, STORE_RANGE, STORE_STEP,
               STORE_COUNT };

/* Conversions of a kind.  read() sets the storage (for STORE_TEXT a new heap string), or ERR. */
struct option_kind_ops {
    enum storage storage;
    bool (*read)(const struct option *opt, const char *value, void *to, struct err *err);
    void (*print)(struct strbuf *sb, const struct option *opt, const void *from);
};

/* By enum option_kind. */
extern const struct option_kind_ops option_kinds[];
