/* doc.h: the session, the requested view, the displayed result, and data derived from it. */
#pragma once

#include "load/runs.h"
#include "session/session.h"
#include "tui/load_watch.h"
#include "tui/notes.h"
#include "tui/rows/consumers.h"
#include "tui/rows/uncounted.h"
#include "tui/source_text.h"
#include "tui/spec.h"
#include "tui/task_list.h"
#include "view/advise/advise.h"
#include "view/build/hidden_frames.h"

struct groups;
struct verdict;
struct picture_ops;
struct preview;

/* An option whose effect is shown before it is set. A zeroed struct is empty. */
struct trial {
    struct preview *preview;     /* the newest one; NULL: none */
    const struct option *option; /* option to try */
    char *value;
};

/* The last list; zeroed: none. */
struct listed_runs {
    char *folder; /* heap */
    struct log_runs runs;
    size_t n_counted; /* runs from the first on whose steps are counted, or cannot be counted */
    bool is_old;     /* it must be read again */
    bool is_new;     /* it has not been shown yet */
};

struct doc {
    struct session *session;  /* NULL while loading */
    struct session *incoming; /* read completely, not yet displayed; NULL: none */
    struct words files;       /* as given on the command line */
    bool no_config;           /* configuration files are neither read nor written */
    bool secure;              /* other programs must not be run */
    struct load_watch loader;
    struct listed_runs listed_runs;
    struct err failure; /* why a file could not be read; also reported after the screen */

    struct worker *worker;
    struct tasks tasks;
    const struct picture_ops *picture_computed; /* by the task that runs, or ran last */

    struct spec requested;
    struct result *result;   /* displayed; NULL until the first query has ended */
    struct stamp generation; /* of session, displayed tree and displayed result */
    int64_t result_us;       /* duration of its query; negative: unknown */
    bool kept_is_due;        /* a cached result is about to be displayed; start no tasks */

    struct verdict *verdict;    /* NULL: not computed yet */
    struct advice *advice;      /* NULL: not computed yet */
    struct uncounted uncounted; /* belongs to the displayed figures */
    struct consumers consumers;
    struct groups *groups;                 /* NULL: not computed yet */
    const struct result *figures_made_for; /* result of groups and uncounted; NULL: out of date */
    struct strbuf hidden;                  /* text: number of hidden rows by option */
    struct hidden_frames hidden_frames;    /* hidden frames of the displayed result */
    struct strbuf was_hidden;              /* value of -hide_frames before it was cleared */
    struct source_text source;
    struct trial trial;
    struct screen_notes notes;
    char *renames_typed; /* rename rules that are being typed; NULL: none */
};
