/* show.c: prints the screen as it is after some keys: show KEYS ARGUMENT... of the program, with
 * paths from $top_srcdir.  The screen is one in memory, of 50 rows and 120 columns. */
#include <stdio.h>

#include "script.h"
#include "term/dump.h"

static void print(struct app *a, const struct canvas *c, const char *state)
{
    struct strbuf text = {0};

    (void)a, (void)state;
    canvas_dump(&text, c, NULL);
    fputs(sb_text(&text), stdout);
    sb_done(&text);
}

int main(int argc, char **argv)
{
    const struct script_step step = {.keys = argc > 1 ? argv[1] : "", .check = print};
    const struct script script = {.args = (const char *const *)argv + (argc > 1 ? 2 : 1),
                                  .rows = 50,
                                  .cols = 120,
                                  .ascii = true,
                                  .steps = &step,
                                  .n_steps = 1};

    return script_run(&script);
}
