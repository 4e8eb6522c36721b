/* places.h: the jump list, marks with a letter, and marked rows. */
#pragma once

#include "tui/nav.h"
#include "tui/rows/rowmap.h"

struct app;

/* The place of the cursor. */
struct place place_here(struct app *a);
/* Its row in tree T of its view; 0 if it has none. */
row_id place_row(struct place place, const struct tree *t);
/* Goes to PLACE and changes the view if necessary. */
void place_go(struct app *a, struct place place);
/* Saves the current place before a jump. */
void places_jump(struct app *a);
/* Saves the whole screen, with options and folds, before drilling down. */
void places_drill(struct app *a);
/* Goes back (-1) or forward (1) in the jump list. False at its end. */
bool places_travel(struct app *a, int direction);
/* Toggles the mark of the selected row. */
void places_toggle_mark(struct app *a);
bool places_is_marked(const struct app *a, enum view_id view, row_id row);
/* Map rows by MAPS [VIEW_COUNT]. */
void place_remap(struct place *place, const struct rowmap *maps);
void places_remap(struct places *p, const struct rowmap *maps);
/* As places_remap() without the saved states, which have other trees. */
void places_remap_rows(struct places *p, const struct rowmap *maps);
void places_done(struct places *p);
