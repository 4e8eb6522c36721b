/* export_dialog.h: exports the displayed rows, or more, to a file. */
#ifndef TFPROF_TUI_EXPORT_DIALOG_H
#define TFPROF_TUI_EXPORT_DIALOG_H

struct app;

void export_dialog_open(struct app *a, int arg);

#endif
