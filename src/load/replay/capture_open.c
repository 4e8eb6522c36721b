/* capture_open.c: reads the traces of graph captures on demand (formats-trace.md section 11). */

#include "base/xalloc.h"
#include "load/bytes/input.h"
#include "load/replay/capture_files.h"

/* ---- the log of a file */

/* Reads LOG and completes the decompression of SUB's input.  Damage is an error. */
static bool read_unpacking(struct loader *sub, struct gunzip_stream *unpacking,
                           struct trace_log *log, struct err *err)
{
    enum { HEAD_BYTES = 64 << 10 };
    struct source_file *file;
    struct err bad = {0};
    bool ended;

    sub->input.len = gunzip_await(unpacking, HEAD_BYTES, &ended);
    sub->input.bytes = gunzip_bytes(unpacking);
    sub->unpacking = unpacking;
    trace_read(log, sub, err);
    sub->unpacking = NULL;
    file = &builder_profile(sub->builder)->files[sub->file];
    if (!gunzip_finish(unpacking, file, &bad)) {
        if (bad.kind == ERR_INPUT)
            file->fault = xstrdup(err_text(&bad));
        else
            err_set(err, bad.kind, "%s", err_text(&bad));
        err_done(&bad);
    }
    return err->kind == ERR_NONE;
}

static bool read_log(struct loader *sub, const char *path, struct trace_log *log, struct err *err)
{
    struct gunzip_stream *unpacking = NULL;
    struct source_file file = {0};

    if (!input_begin(path, INPUT_REGULAR, &file, &unpacking, sub->cancel, err))
        return false;
    sub->file = builder_file(sub->builder, file);
    sub->path = builder_profile(sub->builder)->files[sub->file].path;
    sub->input = (struct span){file.bytes, file.size_bytes};
    log->recording = builder_recorder(sub->builder, sub->file);
    if (!(unpacking ? read_unpacking(sub, unpacking, log, err) : trace_read(log, sub, err)))
        return false;
    trace_repair(log, REPAIR_GZIP_TRUNCATED,
                 builder_profile(sub->builder)->files[sub->file].fault != NULL, 0);
    return note_trace_repairs(sub, log, err);
}

bool capture_log_read(struct loader *l, const char *path, struct loader *sub, struct trace_log *log,
                      struct err *err)
{
    loader_init(sub, l->request, NULL, l->cancel);
    trace_log_init(log, sub->builder, NULL);
    if (!read_log(sub, path, log, err))
        return false;
    notes_add_all(&builder_profile(l->builder)->notes, &builder_profile(sub->builder)->notes, "");
    return true;
}

void capture_log_done(struct loader *sub, struct trace_log *log)
{
    trace_log_done(log);
    builder_abandon(sub->builder);
    loader_done(sub);
}

/* ---- captures */

static bool read_capture(struct capture_files *files, struct captured_file *c, struct err *err)
{
    struct loader sub;
    struct trace_log log;
    bool ok = capture_log_read(files->all.l, c->path, &sub, &log, err);

    if (ok && !captured_read(&files->all, c, &log))
        ok = err_set(err, ERR_INPUT,
                     "%s: no captured graph in it (no StreamBeginCapture, no annotation "
                     "capture_SIZE_MODE)", c->path);
    files->n_bytes += profile_input_bytes(builder_profile(sub.builder));
    if (ok && log.recording->rank >= 0)
        c->rank = log.recording->rank;
    capture_log_done(&sub, &log);
    return ok;
}

bool capture_open(struct capture_files *files, struct captured_file *c, struct err *err)
{
    struct notes *notes = &builder_profile(files->all.l->builder)->notes;

    if (c->is_opened || c->is_bad)
        return true;
    if (read_capture(files, c, err)) {
        c->is_opened = true;
        return true;
    }
    c->is_bad = true;
    if (c->is_given || err->kind != ERR_INPUT)
        return false;
    note_add_kind(notes, NOTE_SKIPPED, "%s: skipped", err_text(err));
    err_done(err);
    return true;
}

bool capture_open_unknown(struct capture_files *files, struct err *err)
{
    for (size_t i = 0; i < files->all.list.n; i++)
        if (capture_size(&files->all.list.data[i]) == SIZE_UNKNOWN &&
            !capture_open(files, &files->all.list.data[i], err))
            return false;
    for (size_t i = 0; i < files->all.list.n; i++)
        if (!files->is_given || !files->all.list.data[i].is_bad)
            return true;
    return !files->all.list.n ||
           err_set(err, ERR_INPUT, "%s: no graph capture in this folder",
                   files->all.l->request->options->capture);
}
