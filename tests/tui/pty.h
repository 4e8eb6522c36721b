/* pty.h: runs a program on a pseudo-terminal and reads its screen with libvterm.
 *
 * Nothing here sleeps: a test sends keys and then a private sequence, which the program answers on
 * a separate descriptor once everything before it is drawn and no worker is busy.  A program that
 * does not answer in time (fixtures/patience.h) fails the test. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>
#include <termios.h>
#include <vterm.h>

#include "base/strbuf.h"
#include "term/canvas.h"
#include "unrepeat.h"

/* Defaults for zero are in the comments. */
struct pty_setup {
    const char *const *argv; /* NULL-terminated; argv[0] is a path */
    int rows, cols;          /* 24x80 */
    const char *term;        /* value of TERM; NULL: xterm-256color */
    const char *locale;      /* value of LC_ALL; NULL: C.UTF-8 */
    const char *const *env;  /* additional "NAME=VALUE" strings, NULL-terminated */
    const char *stdin_path;  /* file for standard input */
    const char *home;        /* NULL: a new folder, removed at the end */
    const char *dir;         /* working folder; NULL: that of the test */
    bool in_home;            /* the working folder is the home */
    bool stderr_tty; /* standard error is the terminal instead of a pipe */
    bool unsynced;   /* do not wait for the first drawn screen */
    bool job_control; /* run under a minimal shell, which reports when the job stops */
    int ignored_signal; /* 0: none; all others have their default action */
    int colors; /* colors of the theme used to decode roles; 0 means 256 */
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
    struct strbuf raw;    /* bytes written by the program since the last sync */
    struct strbuf errors; /* its standard error, unless that is the terminal */
    struct strbuf sync_line;
    struct strbuf state;  /* state reported at the last sync */
    struct canvas canvas; /* screen at the last sync or the end */
    char *home;
    bool own_home;
    bool resizing;     /* a resize since the last sync */
    bool master_ended; /* no process has the terminal open */
    bool ended;
    int status; /* of waitpid(), after the end */
};

/* Starts the program and waits for its first drawn screen or its end (see ended). */
struct pty *pty_start(const struct pty_setup *setup);
void pty_free(struct pty *p);

/* Sends keys in macro notation, "jj<ret>", without waiting. */
void pty_keys(struct pty *p, const char *macro);
void pty_bytes(struct pty *p, const char *bytes, size_t len);
/* Waits until everything sent is drawn and reads the screen into p->canvas.  False when the program
 * ended instead. */
bool pty_sync(struct pty *p);
/* Like pty_sync(), but does not wait for low-priority work: figures of the details, advice. */
bool pty_sync_early(struct pty *p);
/* Waits until the program or a child of it has written TEXT since the last sync; used when it
 * cannot answer a sync. */
void pty_wait_text(struct pty *p, const char *text);
/* Waits until a row of the screen contains TEXT; used when a sync would wait too long. */
void pty_wait_shows(struct pty *p, const char *text);
/* pty_keys(), then pty_sync(); fails the test when the program ended. */
void pty_type(struct pty *p, const char *macro);
/* Changes the terminal size without waiting. */
void pty_resize(struct pty *p, int rows, int cols);
void pty_kill(struct pty *p, int signal);
/* Waits until the program has ended and reads the final screen. */
void pty_wait_end(struct pty *p);
/* Like pty_wait_end(), but reads no output before the end, like a stopped terminal. */
void pty_wait_end_unread(struct pty *p);
/* Hangs up the terminal, like a closed window, and waits for the end. */
void pty_hang_up(struct pty *p);
/* With job_control: waits until the job has stopped; pty_continue() continues it. */
void pty_wait_stop(struct pty *p);
void pty_continue(struct pty *p);
/* Tests ^Z: the terminal is restored, resized, and after fg the screen is back. */
void pty_check_suspend(struct pty *p, int rows, int cols);

/* Row ROW of the screen without trailing blanks; valid until the next call. */
const char *pty_row(struct pty *p, int row);
/* True when a row contains TEXT. */
bool pty_shows(struct pty *p, const char *text);
/* A text dump of the screen and the terminal modes; the caller frees it. */
char *pty_dump(struct pty *p);
/* Fails the test unless the terminal is in its initial state: main screen, cursor visible, no
 * mouse, no bracketed paste, line discipline. */
void pty_assert_restored(struct pty *p);
/* Fails the test unless the screen equals the golden file NAME.scr.  With TFPROF_ACCEPT=1 in the
 * environment the file is written instead. */
void pty_assert_golden(struct pty *p, const char *name);
