/* loading.h: loading beside the screen.  A graph beside which much else is to be read
 * is seen first, alone. */
#ifndef TFPROF_TUI_LOADING_H
#define TFPROF_TUI_LOADING_H

#include "session/first_options.h"
#include "session/session.h"
#include "tui/tasks/file_stamps.h"

struct app;
struct command_line;

struct load_watch {
    bool is_part;  /* what is seen is made of the graph alone */
    struct load_begun *begun; /* what then goes on; NULL: all is read afresh */
    bool is_again; /* the files are read once more, or others; what is seen stays until then */
    bool is_reload; /* then to see what has changed in them */
    bool other_is_run; /* one that was chosen from a list */
    struct words other; /* the files that are read in place of those seen; none: the same */
    struct file_stamps stamps; /* of the files seen, as they were read */
    bool said_changed; /* that they have changed */
    struct load_progress progress;
    struct first_facts facts; /* of what was read */
    struct options suited;    /* what first_options() made of the wanted ones */
    struct words said;        /* options that it leaves alone */
};

/* Loads what CL names; the screen shows how far it is. */
void load_begin(struct app *a, const struct command_line *cl);
/* Reads the files again, for the body below CALL, a node of what is seen that has none
 * yet. */
void load_call(struct app *a, node_id call);
/* Reads the files again for OPTIONS, which are wanted from then on. */
void load_again(struct app *a, const struct options *options);
/* Reads the files again to see what has changed in them: cursor, folds, filters and marks stay. */
void load_reload(struct app *a);
/* Reads FILE in place of the files seen. */
void load_other(struct app *a, const char *file);
/* Reads the run at PATH, which was chosen from a list: at first, or in place of the files seen. */
void load_run_of_folder(struct app *a, const char *path);
/* A key came: looks, beside the screen, whether the files seen have changed, and says so once. */
void load_watch_files(struct app *a);
/* Stops reading and keeps what has been read: once files are read whole that are not seen yet, the
 * one under way is still read, unless it is called again.  False when nothing was being read. */
bool load_stop(struct app *a);
/* Sets in O what the first screen has where nothing is said. */
void load_first_options(const struct app *a, struct options *o);
void load_done(struct load_watch *l);
/* True until all that is to be read is seen. */
bool load_is_open(const struct app *a);
/* Appends what is being read and how far that is, "loading all files: 42 %
 * (RunMetadata, binary)", or why it will not come. */
void load_text(const struct app *a, struct strbuf *sb);

#endif
