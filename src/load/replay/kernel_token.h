/* kernel_token.h: kernels of captures and replays, normalised for comparison by name
 * (formats-trace.md section 11). */
#pragma once

#include "base/intern.h"
#include "base/text.h"
#include "model/recorder.h"

/* A captured launch, or a record of work. */
struct kernel_token {
    strid name;         /* normalised name, in the caller's table; STRID_EMPTY: unnamed */
    strid qualified;    /* such as "at::native::kernel", in the same table */
    uint8_t work_class; /* enum work_class */
    bool is_mangled;
};

/* The token of a kernel called NAME; its strings are added to NAMES. */
struct kernel_token kernel_token_of(struct intern *names, struct text name, enum work_class work_class);

static inline bool kernel_is_copy(const struct kernel_token *t)
{
    return t->work_class == WORK_MEMCPY || t->work_class == WORK_MEMSET;
}

/* True if LAUNCH and WORK have compatible names and classes. */
static inline bool kernel_tokens_equal(const struct kernel_token *launch,
                                       const struct kernel_token *work)
{
    if (kernel_is_copy(launch))
        return launch->work_class == work->work_class;
    if (!launch->name)
        return !kernel_is_copy(work);
    return launch->name == work->name ||
           (launch->is_mangled != work->is_mangled && launch->qualified == work->qualified);
}
