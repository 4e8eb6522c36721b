/* prompt.c: lines typed at a terminal, with history and completion. */
#include "cli/prompt.h"

#include <errno.h>
#include <histedit.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/strbuf.h"
#include "base/utf8.h"
#include "base/xalloc.h"
#include "session/complete.h"
#include "session/user_files.h"

enum { HISTORY_LINES = 1000, LIST_COLS = 80 };

struct prompt {
    const struct profile *profile;
    EditLine *editor;
    History *history;
    bool no_state;
    char *line;
    char text[sizeof "tfprof> "]; /* libedit wants it writable */
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

/* Tab: types what all matches have in common, else lists them. */
static unsigned char complete(EditLine *editor, int key)
{
    const LineInfo *line = el_line(editor);
    struct prompt *pr;
    struct completions c;
    struct strbuf more = {0};
    size_t common;
    unsigned char result = CC_REFRESH;

    (void)key;
    el_get(editor, EL_CLIENTDATA, &pr);
    complete_line(&c, line->buffer, (size_t)(line->cursor - line->buffer), AT_PROMPT, pr->profile);
    common = completions_common(&c);
    for (size_t i = c.typed.len; i < common; i++) {
        if (c.matches.items[0][i] == ' ')
            sb_addc(&more, '\\');
        sb_addc(&more, c.matches.items[0][i]);
    }
    if (c.matches.n == 1 && c.is_final)
        sb_addc(&more, ' ');
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
    char *file = no_state ? NULL : state_file("history", false, notes);

    pr->profile = p;
    pr->no_state = no_state;
    memcpy(pr->text, "tfprof> ", sizeof pr->text);
    pr->history = history_init();
    pr->editor = el_init("tfprof", stdin, stdout, stderr);
    if (!pr->history || !pr->editor)
        xreallocarray(NULL, (size_t)-1, 2); /* ends the program: no memory */
    history(pr->history, &event, H_SETSIZE, HISTORY_LINES);
    history(pr->history, &event, H_SETUNIQUE, 1);
    if (file && access(file, F_OK) == 0 && history(pr->history, &event, H_LOAD, file) < 0)
        note_add(notes, "%s: cannot be read; the history starts anew", file);
    el_set(pr->editor, EL_CLIENTDATA, pr);
    el_set(pr->editor, EL_PROMPT, prompt_text);
    el_set(pr->editor, EL_EDITOR, "emacs");
    el_set(pr->editor, EL_HIST, history, pr->history);
    el_set(pr->editor, EL_SIGNAL, 1);
    el_set(pr->editor, EL_ADDFN, "tfprof-complete", "complete a word", complete);
    el_set(pr->editor, EL_BIND, "^I", "tfprof-complete", NULL);
    el_set(pr->editor, EL_BIND, "^R", "em-inc-search-prev", NULL);
    free(file);
    return pr;
}

const char *prompt_line(struct prompt *pr)
{
    HistEvent event;
    int len;
    const char *line = el_gets(pr->editor, &len);

    if (!line || len <= 0)
        return NULL;
    free(pr->line);
    pr->line = xmemdupz(line, (size_t)len);
    pr->line[strcspn(pr->line, "\n")] = '\0';
    if (pr->line[strspn(pr->line, " \t")])
        history(pr->history, &event, H_ENTER, pr->line);
    return pr->line;
}

/* Beside the old file and over it in one step: two programs may share it. */
static void save_history(struct prompt *pr, struct notes *notes)
{
    char *file = state_file("history", true, notes);
    struct strbuf temp = {0};
    HistEvent event;

    if (!file)
        return;
    sb_addf(&temp, "%s.%ld", file, (long)getpid());
    if (history(pr->history, &event, H_SAVE, sb_text(&temp)) < 0 ||
        rename(sb_text(&temp), file) != 0) {
        note_add(notes, "%s: the history cannot be saved: %s", file, strerror(errno));
        unlink(sb_text(&temp));
    }
    sb_done(&temp);
    free(file);
}

void prompt_free(struct prompt *pr, struct notes *notes)
{
    if (!pr->no_state)
        save_history(pr, notes);
    el_end(pr->editor);
    history_end(pr->history);
    free(pr->line);
    free(pr);
}
