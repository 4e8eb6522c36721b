/* act.h: what the rows of the action table run, a file for each group. */
#ifndef TFPROF_TUI_ACT_H
#define TFPROF_TUI_ACT_H

#include "tui/app.h"

/* act_move.c */
void act_move(struct app *a, int move);
void act_left(struct app *a, int arg);
void act_right(struct app *a, int arg);
void act_open(struct app *a, int arg);
void act_pane(struct app *a, int direction);
void act_pane_to(struct app *a, int pane);
void act_jump(struct app *a, int direction);
void act_mark_set(struct app *a, int arg);
void act_mark_go(struct app *a, int arg);
void act_mark_row(struct app *a, int arg);
void act_marks(struct app *a, int arg);

/* act_fold.c */
enum fold_op { FOLD_OPEN, FOLD_CLOSE, FOLD_TOGGLE, FOLD_OPEN_ALL, FOLD_CLOSE_ALL, FOLD_TOGGLE_ALL };
void act_fold(struct app *a, int op);
/* The node of ROW when it calls a function that has no rows yet; NODE_NONE. */
node_id act_fold_cut_call(const struct app *a, row_id row);
void act_fold_level(struct app *a, int level);
void act_fold_everything(struct app *a, int open);
void act_fold_more(struct app *a, int direction);

/* act_find.c */
void act_search(struct app *a, int arg);
void act_search_next(struct app *a, int direction);
/* The matches are known: does what waits for them. */
void search_arrived(struct app *a);
void act_filter(struct app *a, int arg);
void act_hide_like(struct app *a, int arg);
void act_keep_like(struct app *a, int arg);
void act_explain(struct app *a, int arg);
void act_explain_name(struct app *a, int arg);

/* act_query.c */
void act_view(struct app *a, int view);
void act_sort_menu(struct app *a, int arg);
void act_sort_step(struct app *a, int direction);
void act_reverse(struct app *a, int arg);
void act_select_menu(struct app *a, int arg);
void act_step(struct app *a, int direction);
void act_step_average(struct app *a, int arg);
void act_cover(struct app *a, int arg);
void act_presets(struct app *a, int arg);
void act_percent_base(struct app *a, int arg);
void act_compare(struct app *a, int arg);
void act_reset_options(struct app *a, int arg);
/* Orders by metric M (a click on its column). */
void sort_by(struct app *a, enum metric_id m);

/* act_advise.c */
void act_advise(struct app *a, int arg);
void act_advice_step(struct app *a, int direction);

/* act_undo.c */
void act_undo(struct app *a, int direction);
void act_undo_list(struct app *a, int arg);

/* act_file.c */
enum copy_what { COPY_COMMAND, COPY_NAME, COPY_ROW, COPY_PROMPT_LINE };
void act_copy(struct app *a, int what);
void act_edit_source(struct app *a, int arg);
void act_shell(struct app *a, int arg);
void act_pipe(struct app *a, int arg);

/* act_program.c */
void act_help(struct app *a, int arg);
void act_command_line(struct app *a, int arg);
void act_summary(struct app *a, int arg);
void act_redraw(struct app *a, int arg);
void act_close(struct app *a, int arg);
void act_quit(struct app *a, int arg);
void act_escape(struct app *a, int arg);
void act_interrupt(struct app *a, int arg);
void act_suspend(struct app *a, int arg);
void act_mouse(struct app *a, int arg);

/* act_edit.c: what overlays and lines of text do */
void act_accept(struct app *a, int arg);
void act_cancel(struct app *a, int arg);
void act_edit(struct app *a, int op);
void act_complete(struct app *a, int arg);
void act_history(struct app *a, int direction);
void act_toggle(struct app *a, int arg);
void act_field(struct app *a, int direction);
void act_text_search(struct app *a, int arg);
void act_reset(struct app *a, int arg);

#endif
