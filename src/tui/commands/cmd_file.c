/* cmd_file.c: copies, the editor, the shell. */
#include <sys/wait.h>
#include <unistd.h>

#include "base/system/open_input.h"
#include "base/utf8.h"
#include "export/output.h"
#include "render/row.h"
#include "tui/commands/clipboard.h"
#include "tui/commands/cmd.h"
#include "tui/commands/spawn.h"
#include "tui/dialogs/options_editor.h"
#include "tui/dialogs/prompt.h"
#include "tui/tables/table_pane.h"
#include "tui/tasks/tasks.h"
#include "tui/ui_state.h"
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
        utf8_escape(sb, tree_name(a->doc.result->tree, row),
                    tree_name_len(a->doc.result->tree, row));
        break;
    case COPY_ROW:
        if (table_pane_is_on(a)) {
            table_pane_add_row(a, sb);
            break;
        }
        row_printer_init(&printer, a->doc.result);
        render_row(sb, &printer, row, 0);
        break;
    case COPY_PROMPT_LINE:
        session_print_prompt_line(sb, a->doc.requested.view, &a->doc.requested.options, &notes);
        app_print_notes(a, &notes);
        break;
    }
}

/* Appends the selected line of the menu or text on top. */
static void entry_text(const struct app *a, struct strbuf *sb)
{
    const struct overlay *o = a->ui.top;

    if (o && o->ops->entry_text && o->at < o->ops->n_entries(o))
        o->ops->entry_text(o, o->at, sb);
}

void cmd_copy(struct app *a, int what)
{
    struct strbuf text = {0}, message = {0};

    if (what == COPY_ROW && !figures_are_ready(a)) {
        app_print(a, ROLE_NOTE, "figures are being computed; try again");
        return;
    }
    if (what == COPY_ENTRY)
        entry_text(a, &text);
    else
        copy_text(a, what, &text);
    if (clipboard_send(a->ui.term, !a->doc.secure, ui_state_dir(a), sb_text(&text), text.len,
                       &message))
        app_print(a, ROLE_TEXT, "%s", sb_text(&message));
    else
        app_print(a, ROLE_ERROR, "E: %s", message.len ? sb_text(&message) : "nothing to copy to");
    EACH(sb_done, &text, &message);
}

/* ---- the editor */

/* The path comes from a profile. It must be a regular file: an editor would wait for a pipe. */
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

    source_path(&path, a->doc.result->options.source_map, a->doc.result->profile, frame);
    found = is_readable(sb_text(&path));
    sb_done(&path);
    return found;
}

/* The source frame of ROW or of its node: the innermost frame whose file exists, else the
 * innermost one; NULL: none. */
static const struct frame *source_frame(struct app *a, row_id row)
{
    const struct profile *p = a->doc.result->profile;
    const struct tree *t = a->doc.result->tree;
    const struct call_stack *stack;
    node_id node;

    if (t->frame && t->frame[row] && !t->n_folded[row])
        return t->frame[row];
    node = app_node_of(a, row);
    if (node == NODE_NONE || p->stack[node] == STACK_NONE)
        return NULL;
    stack = profile_stack(p, p->stack[node]);
    for (uint32_t at = stack->leaf; at != STACK_ROOT; at = p->call_stacks.nodes[at].caller)
        if (has_file(a, stack_frame(&p->call_stacks, at)))
            return stack_frame(&p->call_stacks, at);
    return stack->n_frames ? stack_frame(&p->call_stacks, stack->leaf) : NULL;
}

static void edit_file(struct app *a, const char *file, int32_t line)
{
    struct err err = {0};

    if (!is_readable(file)) {
        app_print(a, ROLE_NOTE,
                  "%s:%d is not on this machine: map its path with -source_map FROM=TO",
                  file, (int)line);
        return;
    }
    if (a->doc.secure) { /* links in texts call this as well */
        app_print(a, ROLE_NOTE, "%s:%d: other programs are disabled: TFPROF_SECURE is set", file,
                  (int)line);
        return;
    }
    a->ui.term->ops->leave(a->ui.term);
    if (!spawn_editor(file, line, &err))
        app_print_err(a, &err);
    a->ui.term->ops->enter(a->ui.term);
}

void editor_open(struct app *a, const struct frame *frame)
{
    struct strbuf path = {0};

    source_path(&path, a->doc.result->options.source_map, a->doc.result->profile, frame);
    edit_file(a, sb_text(&path), frame->lineno);
    sb_done(&path);
}

void cmd_edit_source(struct app *a, int arg UNUSED)
{
    const struct frame *frame = source_frame(a, app_row(a));

    if (frame)
        editor_open(a, frame);
    else
        app_print(a, ROLE_NOTE, "no call stack is known for this row: give an op log");
}

/* ---- the shell */

static void show_exit_status(struct app *a, int status)
{
    if (WIFEXITED(status) && WEXITSTATUS(status) == 0)
        app_print(a, ROLE_TEXT, "done");
    else if (WIFEXITED(status))
        app_print(a, ROLE_NOTE, "the command ended with status %d", WEXITSTATUS(status));
    else
        app_print(a, ROLE_NOTE, "the command was ended by signal %d", WTERMSIG(status));
}

static bool run_shell(struct app *a, const char *text)
{
    struct err err = {0};
    int status = 0;

    a->ui.term->ops->leave(a->ui.term);
    if (spawn_shell(text, NULL, 0, &status, &err))
        show_exit_status(a, status);
    else
        app_print_err(a, &err);
    if (*text) /* an interactive shell leaves nothing to read */
        spawn_pause();
    a->ui.term->ops->enter(a->ui.term);
    return true;
}

const struct prompt_ops shell_prompt = {
    .label = "!",
    .done = run_shell,
    .keeps_history = true,
};

/* A sink that collects text. */
struct text_sink {
    struct sink sink;
    struct strbuf text;
};

static bool text_sink_write(struct sink *s, const void *bytes, size_t len, struct err *err UNUSED)
{
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
    if (output_find("stdout")->write(a->doc.result, &sink.sink, &err)) {
        a->ui.term->ops->leave(a->ui.term);
        if (spawn_shell(text, sb_text(&sink.text), sink.text.len, &status, &err))
            show_exit_status(a, status);
        spawn_pause();
        a->ui.term->ops->enter(a->ui.term);
    }
    if (err.kind)
        app_print_err(a, &err);
    sb_done(&sink.text);
    return true;
}

const struct prompt_ops pipe_prompt = {
    .label = "pipe to: ",
    .done = run_pipe,
    .keeps_history = true,
};
