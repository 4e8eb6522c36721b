/* option_kinds.h: how the values of options are kept, read and printed, by
 * kind: what option_set() and its like share.  For opt/ alone. */
#ifndef TFPROF_OPT_OPTION_KINDS_H
#define TFPROF_OPT_OPTION_KINDS_H

#include "opt/options.h"

/* What the bytes at an option's offset are. */
enum storage { STORE_INT64, STORE_INT, STORE_BOOL, STORE_SET, STORE_TEXT, STORE_RANGE, STORE_STEP,
               STORE_COUNT };

/* How a kind is read and written.  read fills the storage it is given (of
 * STORE_TEXT: sets a new string) or sets ERR. */
struct option_kind_ops {
    enum storage storage;
    bool (*read)(const struct option *opt, const char *value, void *to, struct err *err);
    void (*print)(struct strbuf *sb, const struct option *opt, const void *from);
};

/* By enum option_kind. */
extern const struct option_kind_ops option_kinds[];

#endif
