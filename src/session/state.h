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
    HISTORY_MAX = 1000,        /* lines given back */
};

/* The folder: $XDG_STATE_HOME/tfprof, else ~/.local/state/tfprof; heap, the
 * caller's.  NULL when neither variable holds an absolute path: then there is
 * no state. */
char *state_dir(void);
/* Makes PATH and the folders above it, for the user alone; false with errno. */
bool state_make_dir(const char *path);
/* Appends the name of the state of the profile that FILES make up: the same
 * files, however they are written, give the same name. */
void state_name(struct strbuf *sb, const char *const *files, size_t n_files);
/* The same of the files that CL names, by options too. */
void state_name_of_call(struct strbuf *sb, const struct command_line *cl);

/* Appends the lines saved under NAME in DIR (NULL: no state).  False when
 * there are none; a file that is damaged is noted besides. */
bool state_load(const char *dir, const char *name, struct strbuf *lines, struct notes *notes);
/* Saves LINES (text of whole lines) as NAME; makes the folder when needed. */
bool state_save(const char *dir, const char *name, const char *lines, size_t len,
                struct notes *notes);

/* Appends the bytes of the file PATH to SB; false when there is none or, with a note, when it
 * cannot be read or is larger than STATE_BYTES_MAX. */
bool state_read_raw(const char *path, struct strbuf *sb, struct notes *notes);
/* Saves TEXT as the file NAME, byte for byte. */
bool state_save_raw(const char *dir, const char *name, const char *text, size_t len,
                    struct notes *notes);

/* The history that the line prompt and the screen's `:` share. */
#define STATE_HISTORY "history"

/* What was typed at a prompt, the newest line last. */
struct history {
    VEC(char *) lines; /* owned; no control characters within */
};
void history_done(struct history *h);
/* Reads the history NAME, its last HISTORY_MAX lines. */
void history_load(struct history *h, const char *dir, const char *name, struct notes *notes);
/* Adds LINE (empty ones and repetitions of the last are skipped), also to the
 * file, where lines of several programs end up one after the other. */
void history_add(struct history *h, const char *line, const char *dir, const char *name,
                 struct notes *notes);
