/* host_choice.h: selects the hosts to read: -host_regexes. */
#ifndef TFPROF_LOAD_HOST_CHOICE_H
#define TFPROF_LOAD_HOST_CHOICE_H

#include "base/err.h"
#include "base/intern.h"
#include "base/regex/regexes.h"
#include "base/vec.h"

struct host_choice {
    struct regexes *regexes; /* NULL: all hosts */
    struct intern names;     /* of the hosts met so far */
    VEC(uint8_t) is_wanted;  /* by strid of names: 0 not tested, 1 no, 2 yes */
};

/* Sets LIST, a value of -host_regexes.  False with ERR when a regex is invalid; host_choice_done()
 * is required in any case. */
bool host_choice_init(struct host_choice *choice, const char *list, struct err *err);
void host_choice_done(struct host_choice *choice);

/* True when the host NAME is selected.  NAME is as printed by `hosts`; of traces "rank 3". */
bool host_is_wanted(struct host_choice *choice, struct text name);

/* Called after all inputs are read: false with ERR (input) when there are hosts but none is
 * selected. Adds NOTES if there are no hosts to choose from, or if a regex failed. */
bool host_choice_check(const struct host_choice *choice, struct notes *notes, struct err *err);

#endif
