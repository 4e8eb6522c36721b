/* pty.h: a program on a pseudo-terminal, its screen read through libvterm.
 *
 * Nothing here sleeps: a test sends keys and then a private sequence that the
 * program answers, on a descriptor of its own, once everything before it is
 * drawn and no worker is busy.  A program that does not answer for a very long
 * time (fixtures/patience.h) fails the test. */
#ifndef TFPROF_TESTS_PTY_H
#define TFPROF_TESTS_PTY_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>
#include <termios.h>
#include <vterm.h>

#include "base/strbuf.h"
#include "term/canvas.h"
#include "unrepeat.h"

/* Zeroed fields stand for what the comments say. */
struct pty_setup {
    const char *const *argv; /* NULL-terminated; argv[0] is a path */
    int rows, cols;          /* 24x80 */
    const char *term;        /* TERM; NULL: xterm-256color */
    const char *locale;      /* LC_ALL; NULL: C.UTF-8 */
    const char *const *env;  /* further "NAME=VALUE", NULL-terminated */
    const char *stdin_path;  /* standard input from a file */
    const char *home;        /* NULL: a fresh one, removed in the end */
    const char *dir;         /* to run in; NULL: ours */
    bool in_home;            /* run in the home */
    bool stderr_tty; /* standard error is the terminal, not a pipe to us */
    bool unsynced;   /* do not wait for the first drawn screen */
    bool job_control; /* under a tiny shell, which tells when it stops */
    int ignored_signal; /* 0: none; the others are not, whatever ours are */
    int colors; /* of the theme the screen is read back with; 0 means 256 */
};

struct pty {
    pid_t pid; /* of the program, or of the shell around it */
    int master, sync_fd, errors_fd, shell_fd;
    struct termios modes_before;
    VTerm *vt;
    VTermScreen *screen;
    int rows, cols, colors;
    bool alt_screen, cursor_visible;
    int mouse; /* VTERM_PROP_MOUSE_ value */
    bool paste;
    struct unrepeat unrepeat;
    unsigned n_syncs;
    struct strbuf raw;    /* bytes the program wrote since the last sync */
    struct strbuf errors; /* its standard error, unless on the terminal */
    struct strbuf sync_line;
    struct strbuf state;  /* what the program said at the last sync */
    struct canvas canvas; /* the screen at the last sync or end */
    char *home;
    bool own_home;
    bool resizing;     /* since the last sync */
    bool master_ended; /* no process has the terminal open */
    bool ended;
    int status; /* of waitpid(), once ended */
};

/* Starts the program and waits for its first drawn screen (or its end: see
 * ended). */
struct pty *pty_start(const struct pty_setup *setup);
void pty_free(struct pty *p);

/* Keys in macro notation, "jj<ret>"; sends them without waiting. */
void pty_keys(struct pty *p, const char *macro);
void pty_bytes(struct pty *p, const char *bytes, size_t len);
/* Waits until all that was sent is drawn; reads the screen into p->canvas.
 * False when the program ended instead. */
bool pty_sync(struct pty *p);
/* The same without what nobody waits for: figures of the details, advice. */
bool pty_sync_early(struct pty *p);
/* Waits until the program (or one it runs) has written TEXT since the last
 * sync: for when it cannot answer one. */
void pty_wait_text(struct pty *p, const char *text);
/* Waits until some row of the screen holds TEXT: for when a sync has to wait. */
void pty_wait_shows(struct pty *p, const char *text);
/* pty_keys, then pty_sync; fails the test when the program ended. */
void pty_type(struct pty *p, const char *macro);
/* Changes the size of the terminal, without waiting. */
void pty_resize(struct pty *p, int rows, int cols);
void pty_kill(struct pty *p, int signal);
/* Waits until the program has ended; reads what is on the screen then. */
void pty_wait_end(struct pty *p);
/* The same, but nothing that it writes is read until then: a terminal that is
 * stopped. */
void pty_wait_end_unread(struct pty *p);
/* Hangs the terminal up, as a closed window does; then waits for the end. */
void pty_hang_up(struct pty *p);
/* With job_control: waits until the job has stopped; continues it. */
void pty_wait_stop(struct pty *p);
void pty_continue(struct pty *p);
/* ^Z, the terminal as it was, another size, fg, and the screen is back. */
void pty_check_suspend(struct pty *p, int rows, int cols);

/* One row of the screen, without the blanks at its end; until the next call. */
const char *pty_row(struct pty *p, int row);
/* True when a row holds TEXT. */
bool pty_shows(struct pty *p, const char *text);
/* The screen in words, with its modes; the caller frees it. */
char *pty_dump(struct pty *p);
/* Fails the test unless the terminal is as it was before the program: main
 * screen, cursor visible, no mouse, no paste mode, line discipline. */
void pty_assert_restored(struct pty *p);
/* Fails the test unless the screen is that of the golden file NAME.scr.
 * With TFPROF_ACCEPT=1 in the environment the file is written instead. */
void pty_assert_golden(struct pty *p, const char *name);

#endif
