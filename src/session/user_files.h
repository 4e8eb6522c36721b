/* user_files.h: where a user's config and state are kept (cli.md,
 * "Environment and files"). */
#ifndef TFPROF_SESSION_USER_FILES_H
#define TFPROF_SESSION_USER_FILES_H

#include <stdbool.h>

#include "base/err.h"

/* Path of NAME in XDG_CONFIG_HOME/tfprof (~/.config/tfprof); heap, NULL when
 * there is no home. */
char *config_file(const char *name);
/* Path of NAME in XDG_STATE_HOME/tfprof (~/.local/state/tfprof); heap, NULL
 * when there is no home.  With CREATE the folders are made, readable by their
 * owner alone; when that fails a note says so and NULL is returned. */
char *state_file(const char *name, bool create, struct notes *notes);

#endif
