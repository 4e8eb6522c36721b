/* read_inputs.c: reads each input of a load with the reader of its format. */
#include "load/inputs/inputs.h"

#include <assert.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/xalloc.h"
#include "load/bytes/gunzip_stream.h"
#include "load/bytes/input.h"
#include "load/graph/functions.h"
#include "load/graph/own_types.h"
#include "load/text/text_reader.h"

static void publish_format(struct loader *l, const char *what)
{
    if (l->progress)
        atomic_store(&l->progress->what, what);
}

static const char *article(const char *noun)
{
    return strchr("AEIOaeio", noun[0]) ? "an" : "a";
}

/* Rejects content that clearly has another format than the option requires. */
static bool check_format(const struct input *input, struct span bytes, struct err *err)
{
    enum input_format found = detect_format(bytes);
    const char *wanted = formats[input->format]->name;
    const char *lookalike;

    if (found == input->format || detect_is_blank(bytes) ||
        formats[input->format]->fits(bytes, NULL))
        return true;
    if (found != FORMAT_UNKNOWN)
        return err_set(err, ERR_INPUT, "%s: is %s %s, not %s %s", input->path,
                       article(formats[found]->name), formats[found]->name, article(wanted),
                       wanted);
    lookalike = detect_lookalike(bytes);
    return !lookalike ||
           err_set(err, ERR_INPUT, "%s: not %s %s: %s", input->path, article(wanted), wanted,
                   lookalike);
}

/* Converts a text to binary form. */
static bool text_to_binary(struct loader *l, const struct format_row *format,
                           struct source_file *file, struct err *err)
{
    struct text_source source = {
        .path = l->path,
        .text = file->bytes,
        .size_bytes = file->size_bytes,
        .message = format->message,
        .notes = &builder_profile(l->builder)->notes,
        .cancel = l->cancel,
    };
    struct strbuf wire = {0};

    if (!text_to_wire(&source, &wire, err)) {
        sb_done(&wire);
        return false;
    }
    if (!input_check(file, err)) {
        sb_done(&wire);
        return false;
    }
    input_replace(file, wire.data, wire.len);
    return true;
}

static bool run_reader(struct loader *l, const struct format_row *format, struct source_file *file,
                       struct err *err)
{
    l->is_text = !format->is_plain_text && detect_is_text(l->input);
    l->element_offset = 0;
    file->format = l->is_text ? format->text_name : format->binary_name;
    publish_format(l, file->format);
    if (!l->is_text)
        return format->load(l, err);
    if (format->load_text && !memmem(l->input.bytes, l->input.len, "library", 7))
        return format->load_text(l, err);
    if (!text_to_binary(l, format, file, err))
        return false;
    l->input = (struct span){file->bytes, file->size_bytes};
    return format->load(l, err);
}

/* Completes the file's share of the progress, whose size is known now. */
static void finish_progress(struct loader *l, const struct source_file *file, size_t expected)
{
    if (!l->progress)
        return;
    if (file->size_bytes > expected)
        atomic_fetch_add(&l->progress->bytes_total, file->size_bytes - expected);
    atomic_fetch_add(&l->progress->bytes_done,
                     (file->size_bytes > expected ? file->size_bytes : expected) -
                         l->reported_bytes);
    atomic_store(&l->progress->n_nodes, builder_n_nodes(l->builder));
}

/* Re-read after each call, because readers may add files of their own. */
static struct source_file *file_at(const struct loader *l, uint16_t index)
{
    return &builder_profile(l->builder)->files[index];
}

/* Loads a format of several files, which its reader opens. */
static bool load_by_path(struct loader *l, const struct input *input, struct err *err)
{
    const struct format_row *format = formats[input->format];
    struct source_file file = {.path = xstrdup(input->path), .format = format->binary_name,
                               .file_size_bytes = (size_t)input->file_size_bytes};
    uint16_t index = builder_file(l->builder, file);

    publish_format(l, format->binary_name);
    l->path = builder_profile(l->builder)->files[index].path;
    if (!format->load_path(l, err))
        return false;
    if (l->progress)
        atomic_fetch_add(&l->progress->bytes_done, input->file_size_bytes);
    return true;
}

/* Loads binary data while they arrive if the reader supports that, else when they are complete.
 * Damage of compressed data is reported before errors of the reader. */
static bool read_unpacking(struct loader *l, const struct input *input,
                           struct gunzip_stream *unpacking, struct source_file *file, bool *is_read,
                           struct err *err)
{
    enum { HEAD_BYTES = 64 << 10 };
    const struct format_row *format = formats[input->format];
    const uint16_t index = l->file;
    struct err bad = {0};
    bool ended;

    l->input.len = gunzip_await(unpacking, HEAD_BYTES, &ended);
    l->input.bytes = gunzip_bytes(unpacking);
    *is_read = !ended && format->loads_while_unpacking && !detect_is_text(l->input) &&
               detect_format(l->input) == input->format;
    if (*is_read) {
        l->unpacking = unpacking;
        run_reader(l, format, file, err);
        l->unpacking = NULL;
        file = file_at(l, index);
    }
    if (*is_read && l->part_bytes) { /* the rest is not decompressed */
        gunzip_cancel(unpacking);
        l->input = (struct span){0};
        return err->kind == ERR_NONE;
    }
    if (!gunzip_finish(unpacking, file, &bad)) {
        if (bad.kind == ERR_INPUT && format->takes_damaged) {
            file->fault = xstrdup(err_text(&bad));
            err_done(&bad);
        } else {
            err_done(err);
            *err = bad;
            if (err->kind == ERR_INPUT)
                err_prefix(err, "%s", l->path);
        }
    }
    l->input = (struct span){file->bytes, file->size_bytes};
    return err->kind == ERR_NONE;
}

static bool load_input(struct loader *l, struct input *input, struct err *err)
{
    const struct format_row *format = formats[input->format];
    const enum input_kind kind = input->is_stream ? INPUT_ANY : INPUT_REGULAR;
    uint32_t nodes_before = builder_n_nodes(l->builder);
    struct gunzip_stream *unpacking;
    struct source_file *file;
    uint16_t index;
    bool is_read = false;

    assert(input->format != FORMAT_UNKNOWN);
    if (format->load_path)
        return load_by_path(l, input, err);
    publish_format(l, "reading");
    if (!input->is_read && !input->is_begun &&
        !input_begin(input->path, kind, &input->file, &input->unpacking, l->cancel, err))
        return false;
    input->is_read = input->is_begun = false; /* the profile owns it now */
    unpacking = input->unpacking;
    input->unpacking = NULL;
    l->file = index = builder_file(l->builder, input->file);
    file = file_at(l, index);
    l->path = file->path;
    l->input = (struct span){file->bytes, file->size_bytes};
    l->reported_bytes = 0;
    if ((!format->takes_damaged && !input_is_whole(file, err)) ||
        (unpacking && !read_unpacking(l, input, unpacking, file, &is_read, err)))
        return false;
    file = file_at(l, index);
    if (!is_read && (!check_format(input, l->input, err) || !run_reader(l, format, file, err))) {
        if (err->kind == ERR_INPUT)
            input_check(file_at(l, index), err); /* lost pages may have caused the error */
        return false;
    }
    file = file_at(l, index);
    if (!input_check(file, err))
        return false;
    if (l->turn != TURN_TAKEN) {
        finish_progress(l, file, (size_t)input->file_size_bytes);
        input_drop(file);
        builder_drop_file(l->builder);
        return true;
    }
    if (format->keep_bytes && !detect_is_blank(l->input) && detect_format(l->input) == FORMAT_UNKNOWN &&
        builder_n_nodes(l->builder) == nodes_before)
        return err_set(err, ERR_INPUT, "%s: not %s %s: binary data of unknown format", l->path,
                       article(format->name), format->name);
    finish_progress(l, file, (size_t)input->file_size_bytes);
    if (!format->keep_bytes)
        input_drop(file);
    return true;
}

/* Adds function bodies to the graph, once: after its nodes, before other inputs refer to them. */
static bool functions_expanded(struct loader *l, struct err *err)
{
    if (l->functions_expanded)
        return true;
    l->functions_expanded = true;
    return functions_expand(l, err);
}

/* Runs the load_late() of each format. */
static bool load_late(struct loader *l, const struct inputs *inputs, size_t n, struct err *err)
{
    for (size_t i = 0; i < n; i++) {
        const struct format_row *format = formats[inputs->list.data[i].format];
        const struct source_file *file = &builder_profile(l->builder)->files[i];

        l->path = file->path;
        l->input = (struct span){file->bytes, file->size_bytes};
        l->is_text = false;
        l->progress = NULL; /* already counted */
        if (format->load_late && !format->load_late(l, err))
            return false;
    }
    return true;
}

/* Starts to decompress INPUT while the previous one is read; only one ahead, because all of it is
 * held in memory.  Errors are reported in its turn. */
static void begin_early(const struct loader *l, struct input *input)
{
    struct err later = {0};

    if (input->is_read || input->is_stream || formats[input->format]->load_path ||
        !input_is_packed(input->path))
        return;
    input->is_begun =
        input_begin(input->path, INPUT_REGULAR, &input->file, &input->unpacking, l->cancel, &later);
    err_done(&later);
}

/* Inputs are sorted by format. */
static bool is_last_of_format(const struct inputs *inputs, size_t i)
{
    return i + 1 == inputs->list.n ||
           inputs->list.data[i + 1].format != inputs->list.data[i].format;
}

/* Counts input I as read, and drops the following ones if a stop was requested. */
static void note_read(struct load_progress *progress, struct inputs *inputs, size_t i)
{
    atomic_fetch_add(&progress->n_read, 1);
    if (formats[inputs->list.data[i].format]->contents != CONTAINS_GRAPH)
        atomic_fetch_add(&progress->n_runs_read, 1);
    if (!atomic_load(&progress->stop_asked))
        return;
    atomic_store(&progress->n_left_out, inputs->list.n - i - 1);
    inputs_truncate(inputs, i + 1);
}

/* Adds a note when the graph read last, after N_BEFORE nodes of others, shares few names (N_KNOWN)
 * with them and probably belongs to another model: figures are sums over both. */
static void note_unrelated_graph(struct loader *l, uint64_t n_before, uint64_t n_known)
{
    enum { SHARED_MIN_PERCENT = 5, NODES_MIN = 10 };
    const uint64_t n_own = builder_n_nodes(l->builder) - n_before + n_known;
    const uint64_t n_fewer = n_own < n_before ? n_own : n_before;

    if (n_fewer >= NODES_MIN && n_known * 100 < n_fewer * SHARED_MIN_PERCENT)
        note_add(&builder_profile(l->builder)->notes,
                 "%s: %" PRIu64 " of its %" PRIu64 " nodes have names of the earlier graphs: "
                 "figures are sums over different models", l->path, n_known, n_own);
}

static bool load_and_note(struct loader *l, struct input *input, struct err *err)
{
    const uint64_t n_before = builder_n_nodes(l->builder), n_known = l->n_known_nodes;

    if (!load_input(l, input, err))
        return false;
    if (formats[input->format]->contents == CONTAINS_GRAPH)
        note_unrelated_graph(l, n_before, l->n_known_nodes - n_known);
    return true;
}

/* Initialises progress for inputs [FROM, TO); the graphs before FROM are already read. */
static void begin_progress(struct load_progress *progress, const struct inputs *inputs, size_t from,
                           size_t to)
{
    uint64_t total = 0, done = 0;

    if (!progress)
        return;
    for (size_t i = 0; i < to; i++) {
        total += inputs->list.data[i].file_size_bytes;
        done += i < from ? inputs->list.data[i].file_size_bytes : 0;
    }
    atomic_store(&progress->bytes_total, total);
    atomic_store(&progress->bytes_done, done);
    atomic_store(&progress->n_read, (uint_fast32_t)from);
    atomic_store(&progress->n_runs_read, 0);
}

static const char *path_ahead(const struct loader *l, size_t k)
{
    const struct inputs *inputs = l->inputs;
    const size_t at = inputs->in_work, i = at + 1 + k;

    return at < inputs->list.n && i < inputs->list.n && !inputs->list.data[i].is_stream &&
                   inputs->list.data[i].format == inputs->list.data[at].format
               ? inputs->list.data[i].path
               : NULL;
}

/* Moves input I after the other inputs of its format, or removes it, as its reader decided. */
static void move_input(struct inputs *inputs, size_t i, enum input_turn turn)
{
    struct input moved = inputs->list.data[i];
    size_t end = i + 1;

    while (end < inputs->list.n &&
           (turn == TURN_ASIDE || inputs->list.data[end].format == moved.format))
        end++;
    memmove(inputs->list.data + i, inputs->list.data + i + 1, (end - i - 1) * sizeof moved);
    moved.is_again = true;
    if (turn == TURN_LATER)
        inputs->list.data[end - 1] = moved;
    else
        inputs->list.n--;
    if (turn == TURN_ASIDE)
        free(moved.path);
}

bool read_inputs(struct loader *l, struct inputs *inputs, size_t from, size_t to, struct err *err)
{
    begin_progress(l->progress, inputs, from, to);
    l->inputs = inputs;
    l->path_ahead = path_ahead;
    for (size_t i = from; i < to && i < inputs->list.n; i++) {
        struct input *input = &inputs->list.data[i];

        if (i + 1 < to)
            begin_early(l, input + 1);
        if (formats[input->format]->contents != CONTAINS_GRAPH && !functions_expanded(l, err))
            return false;
        inputs->in_work = i;
        l->turn = TURN_TAKEN;
        l->is_again = input->is_again;
        l->can_wait = !input->is_stream;
        if (!load_and_note(l, input, err))
            return false;
        inputs->in_work = SIZE_MAX;
        if (l->turn != TURN_TAKEN)
            move_input(inputs, i--, l->turn);
        if (l->turn == TURN_LATER || i == SIZE_MAX)
            continue;
        if (l->progress)
            note_read(l->progress, inputs, i);
        if (is_last_of_format(inputs, i) && formats[input->format]->load_end &&
            !formats[input->format]->load_end(l, err)) {
            inputs->in_work = inputs_find(inputs, l->path_again);
            return false;
        }
    }
    return functions_expanded(l, err);
}

bool finish_inputs(struct loader *l, const struct inputs *inputs, size_t n, struct err *err)
{
    if (!load_late(l, inputs, n, err) ||
        !own_types_add(l->builder, l->request->options->define_type, err))
        return false;
    weight_types_add(l->builder);
    return true;
}
