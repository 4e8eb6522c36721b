/* golden.c: compares a screen with its golden file, or with a list of expected texts. */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include <cmocka.h>

#include "base/strbuf.h"
#include "fixtures/canvas_dump.h"
#include "golden.h"
#include "term/canvas.h"

/* The contents of the file, "" if there is none; the caller frees it. */
static char *read_file(const char *path)
{
    FILE *f = fopen(path, "r");
    struct strbuf sb = {0};
    char bytes[4096];
    size_t n;

    while (f && (n = fread(bytes, 1, sizeof bytes, f)) > 0)
        sb_add(&sb, bytes, n);
    if (f)
        fclose(f);
    return sb_take(&sb);
}

static void write_file(const char *path, const char *text)
{
    FILE *f = fopen(path, "w");

    if (!f || fputs(text, f) < 0 || fclose(f) != 0)
        fail_msg("%s: %s", path, strerror(errno));
}

/* Prints both dumps side by side; '!' marks lines that differ. */
static void print_difference(const char *want, const char *got, int width)
{
    int line = 1;

    while (*want || *got) {
        size_t n_want = strcspn(want, "\n"), n_got = strcspn(got, "\n");
        int pad = width - text_cols(want, n_want);

        if (n_want != n_got || memcmp(want, got, n_got) != 0)
            printf("# %4d %.*s%*s ! %.*s\n", line, (int)n_want, want, pad > 0 ? pad : 0, "",
                   (int)n_got, got);
        want += n_want + (want[n_want] == '\n');
        got += n_got + (got[n_got] == '\n');
        line++;
    }
}

void golden_assert(const char *name, const char *got, int cols)
{
    const char *top = getenv("top_srcdir");
    const char *build = getenv("top_builddir");
    struct strbuf path = {0}, new_path = {0};
    char *want;

    sb_addf(&path, "%s/tests/tui/screens/%s.scr", top ? top : ".", name);
    sb_addf(&new_path, "%s/tests/tui/%s.scr.new", build ? build : ".", name);
    if (getenv("TFPROF_ACCEPT"))
        write_file(sb_text(&path), got);
    want = read_file(sb_text(&path));
    if (strcmp(want, got) != 0) {
        printf("# %s: accepted on the left, now on the right (%s)\n", name, sb_text(&new_path));
        print_difference(want, got, cols);
        write_file(sb_text(&new_path), got);
    } else {
        remove(sb_text(&new_path));
    }
    assert_true(!strcmp(want, got));
    free(want);
    sb_done(&path);
    sb_done(&new_path);
}

/* ---- expected texts */

/* The number of bytes at the start of ROW that match TEXT; 0: no match.  A blank in TEXT matches
 * one or more blanks in ROW. */
static size_t match_length(const char *row, const char *text)
{
    const char *at = row;

    for (; *text; text++) {
        if (*at != *text)
            return 0;
        at++;
        if (*text == ' ')
            at += strspn(at, " ");
    }
    return (size_t)(at - row);
}

/* True when all non-blank cells of ROW from column FROM up to TO have the role of LETTER. */
static bool has_role(const struct canvas *c, int row, int from, int to, char letter)
{
    for (int col = from; col < to; col++) {
        const struct cell *cell = canvas_at(c, row, col);

        if (cell->base != ' ' && role_letter(cell->role) != letter)
            return false;
    }
    return true;
}

/* True when a row contains TEXT, in the role of LETTER unless that is 0. */
static bool shows_text(const struct canvas *c, const char *text, char letter)
{
    bool found = false;

    for (int row = 0; row < c->rows && !found; row++) {
        struct strbuf sb = {0};
        const char *line;

        canvas_dump_row(&sb, c, row);
        line = sb_text(&sb);
        for (size_t i = 0; line[i] && !found; i++) {
            const size_t n = match_length(line + i, text);

            found = n && (!letter || has_role(c, row, text_cols(line, i),
                                              text_cols(line, i + n), letter));
        }
        sb_done(&sb);
    }
    return found;
}

static bool shows_expected(const struct canvas *c, const char *expected)
{
    if (expected[0] == '!')
        return !shows_text(c, expected + 1, 0);
    if (expected[0] == '@')
        return shows_text(c, expected + 3, expected[1]);
    return shows_text(c, expected, 0);
}

static void print_screen(const struct canvas *c)
{
    for (int row = 0; row < c->rows; row++) {
        struct strbuf sb = {0};

        canvas_dump_row(&sb, c, row);
        printf("# %s\n# ", sb_text(&sb));
        for (int col = 0; col < text_cols(sb_text(&sb), sb.len); col++)
            putchar(role_letter(canvas_at(c, row, col)->role));
        printf("\n");
        sb_done(&sb);
    }
}

void golden_shows(const struct canvas *c, const char *const *shows, size_t n)
{
    size_t n_wrong = 0;

    for (size_t i = 0; i < n && shows[i]; i++)
        if (!shows_expected(c, shows[i])) {
            if (n_wrong++ == 0)
                print_screen(c);
            printf("# the screen does not show: %s\n", shows[i]);
        }
    if (n_wrong)
        fail_msg("%zu texts are not shown as required", n_wrong);
}
