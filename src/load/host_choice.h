/* host_choice.h: which hosts of a run are read: -host_regexes. */
#ifndef TFPROF_LOAD_HOST_CHOICE_H
#define TFPROF_LOAD_HOST_CHOICE_H

#include "base/err.h"
#include "base/intern.h"
#include "base/regex/regexes.h"
#include "base/vec.h"

struct host_choice {
    struct regexes *regexes; /* NULL: all hosts are wanted */
    struct intern names;     /* of the hosts that were asked for */
    VEC(uint8_t) is_wanted;  /* by strid of names: 0 not asked yet, 1 no, 2 yes */
};

/* Takes LIST, a value of -host_regexes.  False with ERR when it does not compile; CHOICE is to be
 * given to host_choice_done() then as well. */
bool host_choice_init(struct host_choice *choice, const char *list, struct err *err);
void host_choice_done(struct host_choice *choice);

/* True when the host of NAME is to be read.  NAME is what `hosts` prints: of traces "rank 3". */
bool host_is_wanted(struct host_choice *choice, struct text name);

/* Once all inputs are read: false with ERR (input) when there were hosts and none of them is wanted.
 * NOTES is told when there were none to choose from, and what could not be matched. */
bool host_choice_check(const struct host_choice *choice, struct notes *notes, struct err *err);

#endif
