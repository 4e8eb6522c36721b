/* golden.c: a screen compared with the file it was accepted as. */
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
#include "golden.h"
#include "term/canvas.h"

/* The whole file, "" when there is none; the caller frees it. */
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

/* Lines that differ, beside each other; '!' marks them. */
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
