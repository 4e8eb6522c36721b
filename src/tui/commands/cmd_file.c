/* cmd_file.c: copies, the editor, the shell. */
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/system/open_input.h"
#include "base/utf8.h"
#include "export/output.h"
#include "render/row.h"
#include "tui/commands/cmd.h"
#include "tui/commands/clipboard.h"
#include "tui/dialogs/editor.h"
#include "tui/ui_state.h"
#include "tui/dialogs/prompt.h"
#include "tui/commands/spawn.h"
#include "view/source_path.h"

static void copy_text(struct app *a, int what, struct strbuf *sb)
{
    const row_id row = app_row(a);
    struct row_printer printer;
    struct notes notes = {0};

    switch (what) {
    case COPY_COMMAND:
        app_command(a, sb);
        break;
    case COPY_NAME:
        utf8_escape(sb, tree_name(a->result->tree, row), tree_name_len(a->result->tree, row));
        break;
    case COPY_ROW:
        row_printer_init(&printer, a->result);
        render_row(sb, &printer, row, 0);
        break;
    case COPY_PROMPT_LINE:
        session_print_prompt_line(sb, a->wanted.view, &a->wanted.options, &notes);
        if (notes.n)
            app_say(a, ROLE_NOTE, "%s", notes.lines[0]);
        break;
    }
    notes_done(&notes);
}

void cmd_copy(struct app *a, int what)
{
    struct strbuf text = {0}, message = {0};

    if (what == COPY_ROW && !figures_are_seen(a)) {
        app_say(a, ROLE_NOTE, "figures are still being made; once more in a moment");
        return;
    }
    copy_text(a, what, &text);
    if (clipboard_send(a->term, !a->secure, ui_state_dir(a), sb_text(&text), text.len, &message))
        app_say(a, ROLE_TEXT, "%s", sb_text(&message));
    else
        app_say(a, ROLE_ERROR, "E: %s", message.len ? sb_text(&message) : "nothing to copy to");
    sb_done(&text);
    sb_done(&message);
}

void cmd_reload(struct app *a, int arg)
{
    (void)arg;
    load_reload(a);
}

void cmd_runs(struct app *a, int arg)
{
    (void)arg;
    runs_menu_open(a);
}

/* ---- the editor */

/* A profile names it, so it has to be a file: an editor would wait for a pipe. */
static bool is_readable(const char *file)
{
    struct err ignored = {0};
    struct stat st;
    const int fd = open_input(file, INPUT_REGULAR, &st, &ignored);

    err_done(&ignored);
    return fd >= 0 && close(fd) == 0;
}

static bool has_file(const struct app *a, const struct frame *frame)
{
    struct strbuf path = {0};
    bool found;

    source_path(&path, a->result->options.source_map, a->result->profile, frame);
    found = is_readable(sb_text(&path));
    sb_done(&path);
    return found;
}

/* The frame of source that ROW stands for, or that made its node: the
 * innermost one whose file is there, else the innermost; NULL: none. */
static const struct frame *source_frame(struct app *a, row_id row)
{
    const struct profile *p = a->result->profile;
    const struct tree *t = a->result->tree;
    const struct trace *trace;
    node_id node;

    if (t->frame && t->frame[row] && !t->n_folded[row])
        return t->frame[row];
    node = app_node_of(a, row);
    if (node == NODE_NONE || p->trace[node] == TRACE_NONE)
        return NULL;
    trace = &p->traces[p->trace[node]];
    for (uint32_t i = trace->n_frames; i-- > 0;)
        if (has_file(a, &trace->frames[i]))
            return &trace->frames[i];
    return trace->n_frames ? &trace->frames[trace->n_frames - 1] : NULL;
}

static void edit_file(struct app *a, const char *file, int32_t line)
{
    struct err err = {0};

    if (!is_readable(file)) {
        app_say(a, ROLE_NOTE, "%s:%d is not on this machine: -source_map FROM=TO says where it is",
                file, (int)line);
        return;
    }
    if (a->secure) { /* a link in a text leads here too */
        app_say(a, ROLE_NOTE, "%s:%d: other programs are off: TFPROF_SECURE is set", file,
                (int)line);
        return;
    }
    a->term->ops->leave(a->term);
    if (!spawn_editor(file, line, &err))
        app_say_err(a, &err);
    a->term->ops->enter(a->term);
}

void editor_open(struct app *a, const struct frame *frame)
{
    struct strbuf path = {0};

    source_path(&path, a->result->options.source_map, a->result->profile, frame);
    edit_file(a, sb_text(&path), frame->lineno);
    sb_done(&path);
}

void cmd_edit_source(struct app *a, int arg)
{
    const struct frame *frame = source_frame(a, app_row(a));

    (void)arg;
    if (frame)
        editor_open(a, frame);
    else
        app_say(a, ROLE_NOTE, "no call stack is known for this row: give an op log");
}

/* ---- the shell */

static void say_status(struct app *a, int status)
{
    if (WIFEXITED(status) && WEXITSTATUS(status) == 0)
        app_say(a, ROLE_TEXT, "done");
    else if (WIFEXITED(status))
        app_say(a, ROLE_NOTE, "the command ended with status %d", WEXITSTATUS(status));
    else
        app_say(a, ROLE_NOTE, "the command was ended by signal %d", WTERMSIG(status));
}

static bool run_shell(struct app *a, const char *text)
{
    struct err err = {0};
    int status = 0;

    a->term->ops->leave(a->term);
    if (spawn_shell(text, &status, &err))
        say_status(a, status);
    else
        app_say_err(a, &err);
    if (*text) /* a shell of its own has nothing left to show */
        spawn_pause();
    a->term->ops->enter(a->term);
    return true;
}

static const struct prompt_ops shell_prompt = {
    .label = "!",
    .done = run_shell,
    .keeps_history = true,
};

void cmd_shell(struct app *a, int arg)
{
    (void)arg;
    prompt_open(a, &shell_prompt, "");
}

/* A sink that gathers a text. */
struct text_sink {
    struct sink sink;
    struct strbuf text;
};

static bool text_sink_write(struct sink *s, const void *bytes, size_t len, struct err *err)
{
    (void)err;
    sb_add(&((struct text_sink *)s)->text, bytes, len);
    return true;
}

static bool run_pipe(struct app *a, const char *text)
{
    struct text_sink sink = {.sink = {.write = text_sink_write}};
    struct err err = {0};
    int status = 0;

    if (!*text)
        return true;
    if (output_find("stdout")->write(a->result, a->result->options.step, &sink.sink, &err)) {
        a->term->ops->leave(a->term);
        if (spawn_pipe(text, sb_text(&sink.text), sink.text.len, &status, &err))
            say_status(a, status);
        spawn_pause();
        a->term->ops->enter(a->term);
    }
    if (err.kind)
        app_say_err(a, &err);
    sb_done(&sink.text);
    return true;
}

static const struct prompt_ops pipe_prompt = {
    .label = "pipe to: ",
    .done = run_pipe,
    .keeps_history = true,
};

void cmd_pipe(struct app *a, int arg)
{
    (void)arg;
    prompt_open(a, &pipe_prompt, "");
}
