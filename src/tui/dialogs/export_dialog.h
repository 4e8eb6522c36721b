/* export_dialog.h: writing what is seen, or more of it, to a file. */
#ifndef TFPROF_TUI_EXPORT_DIALOG_H
#define TFPROF_TUI_EXPORT_DIALOG_H

struct app;

void export_dialog_open(struct app *a, int arg);

#endif
