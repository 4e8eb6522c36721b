/* state.h: what the screen and the prompt remember between runs, in XDG_STATE_HOME/tfprof.
 *
 * A file is written whole or not at all, so a second program that has the
 * same profile open never reads half of it; whoever writes last is
 * remembered.  Nothing here is an error to the user: what cannot be read or
 * written becomes a note, and an empty state. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "base/err.h"
#include "base/strbuf.h"
#include "base/vec.h"
#include "session/command_line.h"

enum {
    STATE_BYTES_MAX = 1 << 20, /* a larger file is damaged */
    HISTORY_MAX = 1000,        /* lines kept */
};

/* Returns the state folder, $XDG_STATE_HOME/tfprof or ~/.local/state/tfprof; the caller frees it.
 * NULL: no state, because neither variable holds an absolute path. */
char *state_dir(void);
/* As state_dir() for the config file: $XDG_CONFIG_HOME/tfprof or ~/.config/tfprof. */
char *config_dir(void);
/* Returns the path of NAME in DIR; the caller frees it. NULL if DIR is NULL. */
char *state_path(const char *dir, const char *name);
/* Creates PATH and its parents, accessible by the user only; false with errno. */
bool state_make_dir(const char *path);
/* Appends the state name of the profile in FILES, which depends only on their real paths. */
void state_name(struct strbuf *sb, const char *const *files, size_t n_files);
/* Appends the state name for the files that CL names, as arguments or by options. */
void state_name_for_command(struct strbuf *sb, const struct command_line *cl);

/* Appends the lines saved as NAME in DIR (NULL: no state). False when there are none; a damaged
 * file also adds a note. */
bool state_load(const char *dir, const char *name, struct strbuf *lines, struct notes *notes);
/* Saves LINES (whole lines) as NAME; creates the folder. */
bool state_save(const char *dir, const char *name, const char *lines, size_t len,
                struct notes *notes);

/* Appends the file PATH to SB. False when it does not exist, or with a note when it cannot be read,
 * exceeds STATE_BYTES_MAX, or contains NUL. */
bool state_read_raw(const char *path, struct strbuf *sb, struct notes *notes);
/* Saves TEXT unchanged as the file NAME. */
bool state_save_raw(const char *dir, const char *name, const char *text, size_t len,
                    struct notes *notes);

/* The history shared by the line prompt and the screen's `:` line. */
#define STATE_HISTORY "history"

/* Lines typed at a prompt, oldest first. */
struct history {
    VEC(char *) lines; /* owned; without control characters */
};
void history_done(struct history *h);
/* Reads the last HISTORY_MAX lines of the history NAME. */
void history_load(struct history *h, const char *dir, const char *name, struct notes *notes);
/* Adds LINE to H and to the file, unless it is empty or repeats the last line. Several programs may
 * append to the same file. */
void history_add(struct history *h, const char *line, const char *dir, const char *name,
                 struct notes *notes);
