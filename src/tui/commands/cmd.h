/* cmd.h: the functions of the action table, one file for each group. */
#pragma once

#include "tui/app.h"

/* cmd_move.c */
void cmd_move(struct app *a, int move);
void cmd_left(struct app *a, int arg);
void cmd_right(struct app *a, int arg);
/* Follows the child with the largest figure from ROW down. Returns the last row; ROW if no child
 * has a figure. */
row_id hottest_leaf(struct app *a, row_id row);
void cmd_hottest(struct app *a, int arg);
void cmd_open(struct app *a, int arg);
void cmd_side(struct app *a, int direction); /* in a picture: -1 left, 1 right */
void cmd_pane(struct app *a, int direction);
void cmd_zoom(struct app *a, int arg);
void cmd_border(struct app *a, int direction);
void cmd_pane_to(struct app *a, int pane);
void cmd_jump(struct app *a, int direction);
void cmd_mark_set(struct app *a, int arg);
void cmd_mark_go(struct app *a, int arg);
void cmd_mark_row(struct app *a, int arg);
void cmd_marks(struct app *a, int arg);

/* cmd_fold.c */
enum fold_op { FOLD_OPEN, FOLD_CLOSE, FOLD_TOGGLE, FOLD_OPEN_ALL, FOLD_CLOSE_ALL, FOLD_TOGGLE_ALL };
void cmd_fold(struct app *a, int op);
void cmd_fold_level(struct app *a, int level);
void cmd_fold_everything(struct app *a, int open);
void cmd_fold_more(struct app *a, int direction);

/* cmd_find.c */
void cmd_search(struct app *a, int arg);
void cmd_search_next(struct app *a, int direction);
/* Continues the actions that waited for the matches. */
void search_arrived(struct app *a);
/* True when the displayed picture searches by itself. */
bool search_in_picture(const struct app *a);
void cmd_filter(struct app *a, int arg);
/* Hides or keeps rows with names like that of the selected one. */
void cmd_like(struct app *a, int keeps);
void cmd_explain(struct app *a, int arg);

/* cmd_query.c */
void cmd_view(struct app *a, int view);
void cmd_sort_menu(struct app *a, int arg);
void cmd_sort_step(struct app *a, int direction);
void cmd_reverse(struct app *a, int arg);
void cmd_select_menu(struct app *a, int arg);
void cmd_step(struct app *a, int direction);
void cmd_step_average(struct app *a, int arg);
void cmd_library_frames(struct app *a, int arg);
void cmd_repeats(struct app *a, int arg);
void cmd_presets(struct app *a, int arg);
void take_preset(struct app *a, intptr_t row); /* Applies preset ROW of preset_rows. */
/* Selects FIELD, and orders by it if it is a metric. */
void select_field(struct app *a, intptr_t field);
void cmd_percent_base(struct app *a, int arg);
void cmd_compare(struct app *a, int arg);
void cmd_reset_options(struct app *a, int arg);
/* Orders by a metric. */
void sort_click(struct app *a, int order); /* run by a click on the head of a column */
void cmd_columns(struct app *a, int direction);

/* views.c */
void cmd_views(struct app *a, int arg);

/* cmd_rename.c */
void cmd_rename(struct app *a, int arg);

/* cmd_advise.c */
void cmd_advise(struct app *a, int arg);
void cmd_advice_step(struct app *a, int direction);

/* cmd_undo.c */
void cmd_undo(struct app *a, int direction);
void cmd_undo_list(struct app *a, int arg);

/* cmd_file.c */
enum copy_what { COPY_COMMAND, COPY_NAME, COPY_ROW, COPY_PROMPT_LINE, COPY_ENTRY };
void cmd_copy(struct app *a, int what);
void cmd_edit_source(struct app *a, int arg);

/* cmd_notes.c */
void cmd_note(struct app *a, int arg);
void cmd_notes(struct app *a, int arg);
/* Writes the notes to FILE, as Markdown or HTML by its extension. False with a message. */
bool report_write(struct app *a, const char *file, bool overwrites);

/* cmd_program.c */
enum prompt_kind { PROMPT_COMMAND, PROMPT_SHELL, PROMPT_PIPE, PROMPT_EXPLAIN, PROMPT_COVER, PROMPT_REPORT };
extern const struct prompt_ops shell_prompt, pipe_prompt, explain_prompt, cover_prompt, report_prompt;
void cmd_prompt(struct app *a, int kind);
void cmd_help(struct app *a, int arg);
/* For prompts of paths: see struct prompt_ops. */
/* Shows the rules of the last file, or prompts for one; VIEW: TABLE_VIEW_check. */
void cmd_check(struct app *a, int view);
bool complete_path(struct app *a, const char *text, size_t caret, struct strbuf *sb);
void cmd_next_theme(struct app *a, int arg);
void cmd_redraw(struct app *a, int arg);
void cmd_close(struct app *a, int arg);
void cmd_quit(struct app *a, int arg);
void cmd_escape(struct app *a, int arg);
void cmd_interrupt(struct app *a, int arg);
void cmd_suspend(struct app *a, int arg);
void cmd_mouse(struct app *a, int arg);

/* dialogs/palette.c */
void cmd_palette(struct app *a, int arg);

/* cmd_edit.c: actions of overlays and of edited lines */
void cmd_accept(struct app *a, int arg);
void cmd_cancel(struct app *a, int arg);
void cmd_edit(struct app *a, int op);
void cmd_complete(struct app *a, int arg);
void cmd_history(struct app *a, int direction);
void cmd_toggle(struct app *a, int arg);
void cmd_field(struct app *a, int direction);

/* Clicks and the wheel. */
void mouse_event(struct app *a, const struct term_event *ev);
