/* actions.h: the actions of single pictures. */
#pragma once

struct app;

/* pictures/memory_pane.c */
void cmd_memory_peak(struct app *a, int arg);
void cmd_memory_range(struct app *a, int arg);
void cmd_memory_segments(struct app *a, int arg);
void cmd_memory_failure(struct app *a, int direction);
void cmd_memory_group(struct app *a, int arg);
void cmd_memory_allocator(struct app *a, int arg);
/* pictures/timeline_pane.c */
void cmd_timeline_zoom(struct app *a, int direction); /* 1 in, -1 out */
void cmd_timeline_pan(struct app *a, int direction);  /* 1 later, -1 earlier */
void cmd_timeline_all(struct app *a, int arg);
void cmd_timeline_fold(struct app *a, int arg);
void cmd_timeline_gap(struct app *a, int direction);
void cmd_timeline_group(struct app *a, int arg);
void cmd_timeline_range(struct app *a, int arg);
void cmd_timeline_range_all(struct app *a, int arg);
