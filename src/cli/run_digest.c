/* run_digest.c: the commands digest and merge. */
#include "cli/cli.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/xalloc.h"
#include "cli/report.h"
#include "digest/part_files.h"
#include "export/digest_make.h"
#include "load/bytes/input.h"
#include "session/session.h"
#include "view/counts.h"

static const struct cancel_mark never = {NULL, 0};

/* ---- standard output */

static bool write_out(void *context, const void *bytes, size_t len, struct err *err)
{
    struct stdout_sink *out = context;

    return out->sink.write(&out->sink, bytes, len, err);
}

static bool is_for_terminal(const char *command, struct err *err)
{
    if (!isatty(STDOUT_FILENO))
        return false;
    err_set(err, ERR_USAGE, "%s: a digest is binary: redirect it with > FILE", command);
    return true;
}

/* ---- names of files */

/* Reads names, each terminated by NUL, from PATH, or from standard input for "-". */
static bool read_names(const char *path, struct words *names, struct err *err)
{
    struct source_file file = {.path = NULL};

    if (!input_read(path, &file, never, err))
        return false;
    for (size_t at = 0; at < file.size_bytes;) {
        const char *from = (const char *)file.bytes + at;
        const size_t len = strnlen(from, file.size_bytes - at);
        char *name = xmemdupz(from, len);

        if (len)
            words_add(names, name);
        free(name);
        at += len + 1;
    }
    input_drop(&file);
    free(file.path);
    return true;
}

/* Collects the files of CL, or those listed in -files_from. */
static bool list_files(const struct command_line *cl, struct words *names, struct err *err)
{
    const char *list = cl->options.files_from;

    if (list && cl->files.n)
        return err_set(err, ERR_USAGE, "-files_from: lists all files: remove '%s'",
                       cl->files.items[0]);
    if (list)
        return read_names(list, names, err);
    for (size_t i = 0; i < cl->files.n; i++)
        words_add(names, cl->files.items[i]);
    return names->n || err_set(err, ERR_USAGE, "%s: a file is missing", cl->command->name);
}

static bool check_none_skipped(size_t n_left_out, size_t n, struct err *err)
{
    return !n_left_out || err_set(err, ERR_INPUT, "%zu of %zu files left out", n_left_out, n);
}

/* ---- digest */

/* Parts not merged yet.  WIDTH parts of equally many files are merged to one as soon as they exist,
 * so that few parts are open and each file is merged O(log n) times.  MAX_PARTS suffices for 8^8
 * files. */
enum { WIDTH = 8, MAX_PARTS = 64 };
struct pending {
    struct pending_part {
        struct strbuf bytes;
        uint64_t n_files;
    } parts[MAX_PARTS];
    size_t n;
};

static bool append_bytes(void *context, const void *bytes, size_t len, struct err *err UNUSED)
{
    sb_add(context, bytes, len);
    return true;
}

/* Merges the parts from FIRST on into one. */
static bool merge_pending(struct pending *pending, size_t first, struct err *err)
{
    struct part_in ins[MAX_PARTS];
    struct part_bytes bytes[MAX_PARTS];
    struct pending_part merged = {.n_files = 0};
    const size_t n = pending->n - first;
    struct part_out out;
    size_t failed;
    bool ok;

    for (size_t i = 0; i < n; i++) {
        const struct pending_part *part = &pending->parts[first + i];

        bytes[i] = (struct part_bytes){part->bytes.data, part->bytes.len};
        part_in_init(&ins[i], part_read_bytes, &bytes[i], part->bytes.len + 1);
        merged.n_files += part->n_files;
    }
    part_out_begin(&out, append_bytes, &merged.bytes);
    ok = digest_merge(ins, n, &out, never, &failed, err);
    part_out_done(&out);
    for (size_t i = 0; i < n; i++) {
        part_in_done(&ins[i]);
        sb_done(&pending->parts[first + i].bytes);
    }
    pending->parts[first] = merged;
    pending->n = first + 1;
    return ok;
}

static bool add_pending(struct pending *pending, struct strbuf *part, struct err *err)
{
    bool ok = true;

    if (pending->n == MAX_PARTS)
        ok = merge_pending(pending, 0, err);
    pending->parts[pending->n++] = (struct pending_part){*part, 1};
    *part = (struct strbuf){0};
    while (ok && pending->n >= WIDTH &&
           pending->parts[pending->n - WIDTH].n_files == pending->parts[pending->n - 1].n_files)
        ok = merge_pending(pending, pending->n - WIDTH, err);
    return ok;
}

static bool digest_session(struct session *s, const struct command_line *cl, const char *path,
                           struct strbuf *part, struct err *err)
{
    struct counts *counts = counts_new(s->profile, &cl->options);
    struct notes notes = {0};
    struct digest_request request = {.profile = s->profile, .program = cl->options.program,
                                     .host = cl->options.host, .fallback = path, .notes = &notes};
    bool ok = counts_column(counts) || counts_get(counts, never, err);

    if (ok) {
        request.float_ops = counts_column(counts);
        ok = digest_make(&request, append_bytes, part, err);
    }
    counts_unref(counts);
    report_notes(&notes, 0, cl->quiet);
    notes_done(&notes);
    return ok;
}

/* Digests N files as one profile. */
static bool digest_files(const struct command_line *cl, const char *const *files, size_t n,
                         struct pending *pending, struct err *err)
{
    struct session *s = session_open(&cl->options, files, n, NULL, never, err);
    struct strbuf part = {0};
    bool ok = s && load_check(s->profile, err);

    if (s && cl->files.n)
        report_notes(&s->profile->notes, 0, cl->quiet);
    ok = ok && digest_session(s, cl, s->profile->n_files ? s->profile->files[0].path : "", &part, err) &&
         add_pending(pending, &part, err);
    sb_done(&part);
    session_close(s);
    return ok;
}

/* Digests each of NAMES separately; *N_LEFT_OUT counts files that cannot be read. */
static bool digest_each(const struct command_line *cl, const struct words *names,
                        struct pending *pending, size_t *n_left_out, struct err *err)
{
    for (size_t i = 0; i < names->n; i++) {
        const char *const name = names->items[i];

        if (digest_files(cl, &name, 1, pending, err))
            continue;
        if (err->kind != ERR_INPUT)
            return false;
        report_error(err);
        err_done(err);
        ++*n_left_out;
    }
    return true;
}

bool run_digest(struct command_line *cl, const struct cli_context *in UNUSED, struct err *err)
{
    const bool has_list = cl->options.files_from;
    struct pending *pending = xcalloc(1, sizeof *pending);
    struct words names = {0};
    size_t n_left_out = 0;
    bool ok = !is_for_terminal("digest", err) && (!has_list || list_files(cl, &names, err));

    ok = ok && (has_list ? digest_each(cl, &names, pending, &n_left_out, err)
                         : digest_files(cl, (const char *const *)cl->files.items, cl->files.n, pending,
                                        err)) &&
         merge_pending(pending, 0, err) && print_text(&pending->parts[0].bytes, err) &&
         check_none_skipped(n_left_out, names.n, err);
    for (size_t i = 0; i < pending->n; i++)
        sb_done(&pending->parts[i].bytes);
    free(pending);
    words_done(&names);
    return ok;
}

/* ---- merge */

static void report_damage(void *context UNUSED, const struct err *why)
{
    report_error(why);
}

bool run_merge(struct command_line *cl, const struct cli_context *in UNUSED, struct err *err)
{
    struct words names = {0};
    struct stdout_sink out;
    struct part_out part;
    size_t n_damaged = 0;
    bool ok = !is_for_terminal("merge", err) && list_files(cl, &names, err);

    if (ok) {
        const struct part_files_request request = {
            .paths = (const char *const *)names.items, .n = names.n, .damaged = report_damage};

        stdout_sink_init(&out);
        part_out_begin(&part, write_out, &out);
        ok = part_files_merge(&request, &part, &n_damaged, err);
        ok = stdout_sink_end(&out, ok, err) && check_none_skipped(n_damaged, names.n, err);
        part_out_done(&part);
    }
    words_done(&names);
    return ok;
}
