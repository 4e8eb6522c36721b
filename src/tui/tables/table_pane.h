/* table_pane.h: tables on the screen: which is displayed, its rows, the cursor. */
#pragma once

#include "export/tables/table_list.h"
#include "tui/app.h"

/* Tables that have a command, in the order of the list, and the results of a file of rules. */
#define TABLE_VIEW_ID(name, ...) TABLE_VIEW_##name,
enum table_view { VIEW_LIST(NO_VIEW, NO_VIEW, NO_VIEW, TABLE_VIEW_ID) TABLE_VIEW_check };
#undef TABLE_VIEW_ID

/* True while a table is displayed instead of the tree. */
bool table_pane_is_on(const struct app *a);
/* True while the displayed table is being computed for the first time. */
bool table_pane_is_awaited(const struct app *a);
/* Displays the table VIEW, an enum table_view, or returns from it to the tree. */
void cmd_table(struct app *a, int view);
/* True while results of rules are displayed. */
bool table_pane_is_check(const struct app *a);
/* Displays the results of the rules in FILE. */
void table_pane_check(struct app *a, const char *file);
/* The table VIEW, an enum table_view. */
const struct table *table_view_get(int view);
/* Orders the displayed table by the next (1) or previous (-1) column. */
void table_pane_sort(struct app *a, int direction);
void table_pane_reverse(struct app *a);
/* Appends the row under the cursor, cells separated by tabs. */
void table_pane_add_row(const struct app *a, struct strbuf *sb);

/* Open the prompt of the filter of rows, the menu of columns to order by, the list of columns to
 * show, and the prompt of the file to write the table to. */
void table_pane_filter(struct app *a);
void table_pane_sort_menu(struct app *a);
void table_pane_columns_menu(struct app *a);
void table_pane_export(struct app *a);

/* ---- private to the folder */

/* Applies the filter and order of P to the rows of its sheet. */
void table_show_rows(struct table_pane *p);
/* Hides the columns of P's sheet that P hides. */
void table_hide_columns(struct table_pane *p);
/* See struct picture_ops. */
void table_find(struct app *a, int direction);
void table_find_begins(struct app *a);
void table_draw(struct app *a); /* table_draw.c */
/* Appends the first cell of the row under the cursor, which exists, and cells of columns that are not
 * displayed, with their heads, as many as fit into COLS. */
void table_brief(const struct app *a, int cols, struct strbuf *sb);
