/* kind_options.h: figures and order that come first for a kind of input, where the user said nothing. */
#ifndef TFPROF_SESSION_KIND_OPTIONS_H
#define TFPROF_SESSION_KIND_OPTIONS_H

#include "model/profile.h"
#include "opt/options.h"
#include "session/words.h"

/* Sets -select and -order_by in O, each where SAID does not name it, for inputs of KIND (enum
 * profile_kind); false: this kind has the defaults of the option table. */
bool kind_options(struct options *o, const struct words *said, unsigned kind);

#endif
