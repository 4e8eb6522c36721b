/* replay_ahead.c: finds traces among the inputs that are graph captures of other traces
 * (formats-trace.md section 11). */
#include <stdlib.h>

#include "load/bytes/input.h"
#include "load/replay/replay.h"

/* ---- quick search in the bytes of an input */

static bool holds_mark(const uint8_t *bytes, size_t n)
{
    static const char *const marks[] = {"StreamBeginCapture", "\"capture_"};

    for (size_t i = 0; n && i < sizeof marks / sizeof *marks; i++)
        if (memmem(bytes, n, marks[i], strlen(marks[i])))
            return true;
    return false;
}

/* Searches decompressed data while they arrive. */
static bool unpacked_holds_mark(struct gunzip_stream *unpacking)
{
    enum { PIECE = 1 << 20, OVERLAP = 32 };
    size_t done = 0, n;
    bool ended = false, holds = false;

    while (!ended && !holds) {
        n = gunzip_await(unpacking, done + PIECE, &ended);
        holds = holds_mark(gunzip_bytes(unpacking) + done, n - done);
        if (n > OVERLAP && !holds) {
            input_forget(gunzip_bytes(unpacking) + done, gunzip_bytes(unpacking) + n - OVERLAP);
            done = n - OVERLAP;
        }
    }
    return holds;
}

/* True if the file PATH may have captured graphs.  Ignores errors; the load reports them later. */
static bool may_have_captures(struct loader *l, const char *path)
{
    struct gunzip_stream *unpacking = NULL;
    struct source_file file = {0};
    struct err ignored = {0};
    bool may = false;

    if (input_begin(path, INPUT_REGULAR, &file, &unpacking, l->cancel, &ignored))
        may = unpacking ? unpacked_holds_mark(unpacking) : holds_mark(file.bytes, file.size_bytes);
    gunzip_cancel(unpacking);
    input_drop(&file);
    free(file.path);
    err_done(&ignored);
    return may;
}

/* ---- captures among the inputs */

/* Adds the captured graphs of LOG, read from PATH; NULL if it has none. */
static struct captured_file *add_capture(struct replay_state *state, const char *path,
                                         struct trace_log *log)
{
    struct captured_file *c = capture_files_add(&state->files, path);

    if (!captured_read(&state->files.all, c, log)) {
        capture_done(c);
        state->files.all.list.n--;
        return NULL;
    }
    c->is_opened = true;
    if (log->recording->rank >= 0)
        c->rank = log->recording->rank;
    return c;
}

void replays_look_ahead(struct replay_state *state, struct loader *l)
{
    const char *path;

    if (state->looked_ahead || state->files.is_off || !l->path_ahead)
        return;
    state->looked_ahead = true;
    for (size_t k = 0; (path = l->path_ahead(l, k)) != NULL; k++) {
        struct captured_file *c;
        struct err ignored = {0};
        struct trace_log log;
        struct loader sub;

        if (capture_files_find(&state->files, path) || !may_have_captures(l, path))
            continue;
        if (capture_log_read(l, path, &sub, &log, &ignored) && dialect_of(&log) == DIALECT_KINETO &&
            (c = add_capture(state, path, &log)) != NULL) {
            c->is_own = log_has_replays(&log);
            state->files.n_bytes += profile_input_bytes(builder_profile(sub.builder));
        }
        capture_log_done(&sub, &log);
        err_done(&ignored);
    }
}

/* True if the load has several traces. */
static bool is_one_of_several(const struct loader *l)
{
    return l->path_ahead && (l->n_traces || l->is_again || l->path_ahead(l, 0));
}

bool graphs_set_turn(struct loader *l, struct trace_log *log, struct err *err)
{
    struct replay_state *state;
    struct captured_file *c;

    if (!is_one_of_several(l) || dialect_of(log) != DIALECT_KINETO || !log_may_have_captures(log) ||
        log_has_replays(log))
        return true;
    state = replay_state_of(l, err);
    if (!state || state->files.is_off)
        return state != NULL;
    c = capture_files_find(&state->files, l->path);
    if (!c)
        c = add_capture(state, l->path, log);
    if (!c)
        return true;
    if (state->n_replays)
        l->turn = TURN_ASIDE;
    else if (!l->is_again && l->can_wait && l->path_ahead(l, 0))
        l->turn = TURN_LATER;
    else
        c->is_bad = true; /* no replays can use it */
    return true;
}
