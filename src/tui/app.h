/* app.h: the screen's state, in one struct, and what its parts share.
 *
 *     event -> action -> spec wanted -> worker -> result -> rows -> canvas
 *
 * What is asked for (`wanted`) and what is seen (`result`) differ while the
 * worker runs; the last complete result stays on the screen. */
#ifndef TFPROF_TUI_APP_H
#define TFPROF_TUI_APP_H

#include "base/vec.h"
#include "session/session.h"
#include "tui/panes/compare.h"
#include "tui/panes/consumers.h"
#include "tui/panes/uncounted.h"
#include "tui/panes/figures.h"
#include "tui/panes/folds.h"
#include "tui/layout.h"
#include "tui/notes.h"
#include "tui/panes/lines.h"
#include "tui/dialogs/overlay.h"
#include "tui/dialogs/runs_menu.h"
#include "tui/panes/pane.h"
#include "tui/pictures/icicle_pane.h"
#include "tui/pictures/lanes_pane.h"
#include "tui/pictures/memory_pane.h"
#include "tui/pictures/roofline_pane.h"
#include "tui/places.h"
#include "tui/panes/rowmap.h"
#include "tui/panes/rows.h"
#include "tui/panes/search.h"
#include "term/term.h"
#include "tui/undo.h"
#include "tui/tasks/loading.h"
#include "tui/tasks/preview.h"
#include "tui/tasks/source_text.h"
#include "tui/tasks/tasks.h"
#include "view/advise/advise.h"
#include "view/hidden_frames.h"

struct keymap;

/* What the tree pane knows of each view, seen or not. */
struct view_seen {
    struct tree *tree; /* with a reference; NULL: never seen */
    struct folds *folds;
    row_id cursor;
    size_t top; /* first entry in the window */
    struct rows *rows;
    struct result *kept; /* what was seen of it last, while another view is; NULL: none */
};

/* Something on the screen that a click runs. */
struct hit {
    int row, left, cols;
    const struct action *action; /* NULL: order by ARG, of -order_by */
    int arg;
    void (*call)(struct app *a, int arg); /* NULL: as above */
};

/* A sentence in the status row, until the next key. */
struct message {
    struct strbuf text;
    enum role role;
};

/* Folds that are to change as far as the whole tree. */
struct fold_wish {
    enum {
        FOLD_WISH_EVERYTHING,
        FOLD_WISH_BELOW, /* and at `row` */
        FOLD_WISH_LEVEL, /* open above `level`, and folded from there on */
        FOLD_WISH_NEXT,  /* the same with a level more, or one fewer */
    } kind;
    bool open; /* or fold */
    uint32_t level;
    row_id row;
    const struct tree *tree; /* that is seen: folds_want() says */
};

struct app {
    struct term *term;     /* owned, as is all below but where said */
    struct worker *worker;
    struct canvas canvas;
    struct layout layout;
    struct layout_choice layout_choice;
    size_t zoomed_at; /* the place in the jump list where a pane was zoomed */
    struct keymap *keymap;
    const struct theme *theme; /* of the table */
    bool theme_is_guess; /* nobody has chosen it */
    int64_t asked_us;    /* when the terminal was asked for its background */
    VEC(struct hit) hits; /* of the last drawing */
    int64_t (*now_us)(void); /* NULL: times are not shown (tests) */

    struct session *session; /* NULL while loading */
    struct session *incoming; /* of all files, not yet seen; NULL: none */
    struct words files;      /* as given */
    bool no_config;          /* what is configured is neither read nor written */
    bool secure;             /* no other program is run */
    struct load_watch loader;
    struct runs_seen runs_seen;
    struct tasks tasks;
    struct trial trial;
    struct spec wanted;
    struct result *result; /* NULL before the first one */
    int64_t result_us;     /* what it took; negative: not known */
    bool comes_kept;       /* what is wanted was seen before: nothing is shown or done until it is */
    struct advice *advice; /* NULL: not there yet */
    struct uncounted uncounted; /* of the figures that are drawn */
    struct consumers consumers;
    struct groups *groups; /* NULL: not there yet */
    const struct result *figures_made_for; /* what both are right for */
    struct view_seen views[VIEW_COUNT];
    node_id anchor; /* the node that views are teleported to; NODE_NONE */
    struct place goal; /* where to go once its view is seen */
    bool goes_to_hottest;             /* then to the row that costs most */
    const struct frame *goes_to_frame; /* then to this line of the anchor; NULL: none */

    struct fold_wish fold_wish;
    struct strbuf hidden; /* how many rows of result are hidden, by what */
    struct rows *rows;    /* of result; those of its view, borrowed */
    size_t cursor;    /* entry in rows */
    bool jumped;      /* there, since the last drawing: the rows around it are to be seen too */
    bool reverse;     /* siblings from the smallest */
    int column_shift;   /* columns scrolled out on the left, behind the first one */
    bool percent_of_parent;
    bool mouse_on;
    bool dim_tree; /* the result is not what is being typed */
    struct hidden_frames hidden_frames; /* of result */
    struct strbuf was_hidden;           /* what -hide_frames was before it was emptied */
    struct source_text source;
    struct details details;
    const struct pane *picture; /* in the place of the tree; NULL: none */
    struct icicle_pane icicle;
    struct memory_pane memory;
    struct lanes_pane lanes;
    struct roofline_pane roofline;
    size_t option_at; /* row of the options pane */
    bool option_changes_only; /* what that pane had at its last drawing */
    enum pane_id focus;
    struct overlay *top;
    VEC(uint32_t) ahead; /* keys typed before there is anything to act on */
    struct search search;
    struct undo undo;
    struct places places;
    struct screen_notes notes;
    char *renames_typed; /* rules that are being tried; NULL: none */
    struct message message;
    struct ui_state *ui_state;
    int last_click_row;       /* of the tree; -1: none */
    int64_t interrupted_us;   /* time of the last idle ^C; 0: none */
    bool interrupted;         /* the last key was an idle ^C */
    bool sync_wanted;         /* a test waits for the drawn screen ... */
    bool sync_early;          /* ... without what nobody waits for */
    bool is_drawn;            /* the screen has all that is to be seen */
    bool idle;                /* no key came for a moment */
    bool quit;
    int status;         /* of the program */
    struct err failure; /* why not all is there to show; for after the screen too */
    int signal; /* that ended the screen; 0: none */
};

/* The screen for the files and options of CL on terminal T with worker W; both
 * are A's from here on.  Loading starts at once. */
struct app *app_new(const struct command_line *cl, struct term *t, struct worker *w);
void app_free(struct app *a);
/* Runs until the person quits or the terminal is gone. */
void app_run(struct app *a);

/* Says a sentence in the status row. */
void app_say(struct app *a, enum role role, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/* Says ERR and empties it. */
void app_say_err(struct app *a, struct err *err);

/* Who has the keys now: one enum context bit. */
unsigned app_context(const struct app *a);

/* Takes a complete result as what is seen: cursor and folds stay with their
 * nodes.  COUNTS are of its rows with the folds that it is shown with: taken, but for others. */
void app_show_result(struct app *a, struct result *r, struct row_counts *counts);
/* True when what is wanted is what was seen of its view last. */
bool app_has_kept(const struct app *a);
/* Shows that when it is to come (a->comes_kept). */
void app_show_kept(struct app *a);
/* Forgets what was seen of other views: the profile is another one. */
void app_forget_kept(struct app *a);
/* The change every action makes: remembers the present for undo and asks for
 * VIEW with OPTIONS (copied). */
void app_change(struct app *a, enum view_id view, const struct options *options);
/* The same for one option as text; false and the message when it is not a
 * value. */
bool app_set(struct app *a, const char *option, const char *value);
/* Asks without a word in the undo list: half-typed filters, undo itself. */
void app_try(struct app *a, enum view_id view, const struct options *options);

/* The view whose result is seen. */
struct view_seen *app_view(struct app *a);
/* The row under the cursor; 0 (the root) without a result. */
row_id app_row(const struct app *a);
/* The node that ROW of the result stands for or, of its members (of all below
 * it when it has none), the one with the largest figure; NODE_NONE for the
 * root. */
node_id app_node_of(struct app *a, row_id row);
/* Puts the cursor on ROW, opening what it lies under; on the nearest ancestor
 * displayed when it is not.  False when that was needed. */
bool app_go(struct app *a, row_id row);
/* The same for a look while something is typed: what it opens is no step of
 * undo. */
bool app_peek(struct app *a, row_id row);
/* The same for a node of the profile; says so when it has no row here. */
void app_go_node(struct app *a, node_id node);
/* Makes F (given) the fold set of the view seen, as a step of undo; COUNTS are of its rows with F:
 * taken. */
void app_set_folds(struct app *a, struct folds *f, struct row_counts *counts);

/* The command line that reproduces the screen. */
void app_command(const struct app *a, struct strbuf *sb);
/* Draws everything into a->canvas (frame.c). */
void app_draw(struct app *a);
/* What a click on these cells runs. */
void app_hit(struct app *a, struct area where, int row, int left, int cols,
             const struct action *action, int arg);
/* The same for what is no action: CALL gets ARG. */
void app_hit_call(struct app *a, struct area where, int row, int left, int cols,
                  void (*call)(struct app *a, int arg), int arg);

#endif
