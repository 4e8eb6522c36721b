/* ask.h: what the screen asks of its worker: loading, aggregating, and trying
 * an option before it is set. */
#ifndef TFPROF_TUI_ASK_H
#define TFPROF_TUI_ASK_H

#include "session/session.h"

struct app;

/* A run that takes longer than this is let finish before the next one. */
enum { QUICK_US = 30000 };

/* A view with options: what a screen shows. */
struct spec {
    enum view_id view;
    struct options options; /* owned */
};

struct loader {
    bool running; /* files are being read */
    bool is_part; /* what is seen is made of the graph alone */
    bool rest_waits; /* until that is drawn: the first rows have all cores */
    bool is_again; /* the files are read once more, for what was opened */
    struct load_progress progress;
};

/* How one regex of a list fares. */
struct coach_item {
    size_t n_matches;
    char *first; /* the first match, escaped; NULL: none */
};

/* What an option would do, and how its regexes match. */
struct preview {
    const struct option *option;
    char *value;
    struct result *result; /* NULL when it cannot be */
    struct coach_item *items;
    size_t n_items;
    size_t n_names; /* names looked at; 0: the option is no list of regexes */
    bool gave_up;   /* they were too much work for the list, which matches nothing */
};

struct asker {
    bool running;    /* a result of `wanted` is on its way */
    bool again;      /* `wanted` changed since */
    bool previewing;
    bool exporting; /* nothing else is begun until the file is written */
    bool comparing;
    bool searching;
    bool search_waits; /* to be sent */
    bool summing;
    bool summary_waits; /* to be sent */
    bool figuring; /* nobody waits for it */
    bool advising; /* nobody waits for it */
    struct preview *preview; /* the newest; NULL: none */
    const struct option *option; /* a preview to be asked for; NULL: none */
    char *value;
};

/* Loads what CL names; the screen shows how far it is.  A graph beside which
 * much else is to be read is seen first, alone. */
void ask_load(struct app *a, const struct command_line *cl);
/* Reads the files again, for the body below CALL, a node of what is seen that
 * has none yet. */
void ask_open_call(struct app *a, node_id call);
/* Stops that: what is seen stays; without anything to see the program ends.
 * Always true. */
bool ask_stop_loading(struct app *a);
/* True until all that is to be read is seen. */
bool ask_is_loading(const struct app *a);
/* Appends what is being read and how far that is, "loading all files: 42 %
 * (RunMetadata, binary)", or why it will not come. */
void ask_load_text(const struct app *a, struct strbuf *sb);
/* Aggregates a->wanted.  While a slow run is under way the newest wish waits
 * for its end, so that something is seen now and then. */
void ask_result(struct app *a);
/* Tries VALUE for OPTION; the answer comes to a->asker.preview. */
void ask_preview(struct app *a, const struct option *option, const char *value);
/* Finds what matches a->search in what is seen; then a->search.then is done. */
void ask_search(struct app *a);
/* Sums up what is seen for the summary page. */
void ask_summary(struct app *a);
/* Writes the view with OPTIONS, whose `output` names FILE, beside the screen. */
void ask_export(struct app *a, const struct options *options, const char *file);
/* Takes what the worker has done. */
void ask_take(struct app *a);
/* True while an answer is on its way. */
bool ask_busy(const struct app *a);
/* True while it is one that the person waits for, who can do without the rest of
 * the details, and without advice, for a moment. */
bool ask_is_awaited(const struct app *a);
/* True when all figures of what is seen are there, and what groups.h and
 * consumers.h know of it. */
bool ask_has_figures(const struct app *a);
/* True while what nobody waits for has not begun, since keys come: on a large
 * profile the next one should not find a busy worker. */
bool ask_rests(const struct app *a);
/* Stops what runs and goes back to what is seen; false when nothing ran. */
bool ask_cancel(struct app *a);
void ask_done(struct app *a);

#endif
