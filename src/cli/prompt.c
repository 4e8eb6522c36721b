/* prompt.c: lines typed at a terminal, with history and completion. */

#include <histedit.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/strbuf.h"
#include "base/utf8.h"
#include "base/xalloc.h"
#include "cli/cli.h"
#include "session/complete.h"
#include "session/state.h"

enum { LIST_COLS = 80 };

struct prompt {
    const struct profile *profile;
    EditLine *editor;
    History *recalled;     /* libedit's copy, in memory */
    struct history typed;  /* saved in the state folder */
    char *state_dir;       /* NULL: the history is not saved */
    char *line;
    char text[sizeof "tfprof> "]; /* libedit requires a writable buffer */
};

static char *prompt_text(EditLine *editor)
{
    struct prompt *pr;

    el_get(editor, EL_CLIENTDATA, &pr);
    return pr->text;
}

static void list_matches(const struct completions *c)
{
    size_t col = 0;

    putc('\n', stdout);
    for (size_t i = 0; i < c->matches.n; i++) {
        struct strbuf shown = {0};
        const char *match = c->matches.items[i];

        utf8_escape(&shown, match + c->item_start, strlen(match) - c->item_start);
        if (col && col + shown.len > LIST_COLS) {
            putc('\n', stdout);
            col = 0;
        }
        printf("%s  ", sb_text(&shown));
        col += shown.len + 2;
        sb_done(&shown);
    }
    putc('\n', stdout);
    fflush(stdout);
}

/* Tab: types the common prefix of all matches; when that adds nothing, lists them. */
static unsigned char complete(EditLine *editor, int key UNUSED)
{
    const LineInfo *line = el_line(editor);
    struct prompt *pr;
    struct completions c;
    struct strbuf more = {0};
    size_t common;
    unsigned char result = CC_REFRESH;

    el_get(editor, EL_CLIENTDATA, &pr);
    complete_line(&c, line->buffer, (size_t)(line->cursor - line->buffer), AT_PROMPT, pr->profile);
    common = completions_common(&c);
    for (size_t i = c.typed.len; i < common; i++) {
        if (c.matches.items[0][i] == ' ')
            sb_addc(&more, '\\');
        sb_addc(&more, c.matches.items[0][i]);
    }
    sb_adds(&more, c.matches.n == 1 && c.is_final ? " " : "");
    if (more.len && el_insertstr(editor, more.data) == 0) {
        result = CC_REFRESH;
    } else if (c.matches.n > 1) {
        list_matches(&c);
        result = CC_REDISPLAY;
    } else {
        result = CC_REFRESH_BEEP;
    }
    sb_done(&more);
    completions_done(&c);
    return result;
}

struct prompt *prompt_new(const struct profile *p, bool no_state, struct notes *notes)
{
    struct prompt *pr = xcalloc(1, sizeof *pr);
    HistEvent event;

    pr->profile = p;
    pr->state_dir = no_state ? NULL : state_dir();
    memcpy(pr->text, "tfprof> ", sizeof pr->text);
    pr->recalled = history_init();
    pr->editor = el_init("tfprof", stdin, stdout, stderr);
    if (!pr->recalled || !pr->editor)
        xalloc_fail();
    history(pr->recalled, &event, H_SETSIZE, HISTORY_MAX);
    history(pr->recalled, &event, H_SETUNIQUE, 1);
    history_load(&pr->typed, pr->state_dir, STATE_HISTORY, notes);
    for (size_t i = 0; i < pr->typed.lines.n; i++) /* of earlier runs, and of the screen */
        history(pr->recalled, &event, H_ENTER, pr->typed.lines.data[i]);
    el_set(pr->editor, EL_CLIENTDATA, pr);
    el_set(pr->editor, EL_PROMPT, prompt_text);
    el_set(pr->editor, EL_EDITOR, "emacs");
    el_set(pr->editor, EL_HIST, history, pr->recalled);
    el_set(pr->editor, EL_SIGNAL, 1);
    el_set(pr->editor, EL_ADDFN, "tfprof-complete", "complete a word", complete);
    el_set(pr->editor, EL_BIND, "^I", "tfprof-complete", NULL);
    el_set(pr->editor, EL_BIND, "^R", "em-inc-search-prev", NULL);
    return pr;
}

/* Reads a line including its newline; NULL at the end of input. */
static const char *read_line(struct prompt *pr, struct cancel_mark *cancel, int *len)
{
    for (;;) {
        const char *line;

        *cancel = interrupt_begin();
        line = el_gets(pr->editor, len);
        if (line && *len > 0)
            return line;
        if (!cancel_asked(*cancel))
            return NULL;
        el_reset(pr->editor);
        putc('\n', stdout);
    }
}

const char *prompt_line(struct prompt *pr, struct cancel_mark *cancel, struct notes *notes)
{
    HistEvent event;
    int len;
    const char *line = read_line(pr, cancel, &len);

    if (!line)
        return NULL;
    free(pr->line);
    pr->line = xmemdupz(line, (size_t)len);
    pr->line[strcspn(pr->line, "\n")] = '\0';
    if (pr->line[strspn(pr->line, " \t")]) {
        history(pr->recalled, &event, H_ENTER, pr->line);
        history_add(&pr->typed, pr->line, pr->state_dir, STATE_HISTORY, notes);
    }
    return pr->line;
}

void prompt_free(struct prompt *pr)
{
    interrupt_end();
    el_end(pr->editor);
    history_end(pr->recalled);
    history_done(&pr->typed);
    EACH(free, pr->state_dir, pr->line, pr);
}
