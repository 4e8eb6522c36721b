/* load_watch.h: the state of loading. */
#pragma once

#include "session/first_options.h"
#include "session/session.h"
#include "tui/file_stamps.h"

struct load_watch {
    bool is_part;  /* the displayed profile is incomplete */
    struct load_begun *begun; /* a load to continue; NULL: read everything */
    bool is_again; /* a reload, or a load of other files; the display is replaced at its end */
    bool is_reload; /* reloaded by the user */
    bool other_is_run; /* `other` was chosen from a list */
    struct words other; /* files to read instead; empty: the same files */
    struct file_stamps stamps; /* stamps of the displayed files from before reading */
    bool said_changed; /* a change of files was reported */
    struct load_progress progress;
    struct first_facts facts; /* facts of the displayed profile */
    struct options suited;    /* last options set by first_options() */
    struct words given;        /* names of options that the user set */
};
