/* load_watch.h: the state of loading. */
#pragma once

#include "session/first_options.h"
#include "session/session.h"
#include "tui/tasks/file_stamps.h"

struct load_watch {
    bool is_part;  /* more will be read than the displayed profile has */
    struct load_begun *begun; /* a load to continue; NULL: read everything */
    bool is_again; /* files are read again, or others; the display stays until then */
    bool is_reload; /* reloaded by the user */
    bool other_is_run; /* `other` was chosen from a list */
    struct words other; /* files that are read instead; none: the same files */
    struct file_stamps stamps; /* stamps of the displayed files from before reading */
    bool said_changed; /* a change has been reported */
    struct load_progress progress;
    struct first_facts facts; /* facts of the displayed profile */
    struct options suited;    /* last options set by first_options() */
    struct words said;        /* names of options set by the user */
};
