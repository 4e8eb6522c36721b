/* test_details_value.c: the details pane for a tensor of a checkpoint. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "load/checkpoint/checkpoint.h"
#include "tui/panes/details/details_parts.h"

static struct profile open_towers(void)
{
    const char *top = getenv("top_srcdir");
    struct err err = {0};
    struct profile p = {0};
    char path[4096];

    snprintf(path, sizeof path, "%s/tests/golden/models/towers/model.ckpt", top ? top : ".");
    p.checkpoint = checkpoint_open(path, &err);
    if (!p.checkpoint)
        fail_msg("%s", err_text(&err));
    return p;
}

/* Fails unless the details of NAME are the N lines WANTED. */
static void check(const char *name, const char *const *wanted, size_t n)
{
    struct profile p = open_towers();
    struct lines l = {.cols = 60};

    details_value(&l, &p, name, strlen(name));
    for (size_t i = 0; i < n; i++)
        if (!strstr(sb_text(&l.text), wanted[i]))
            fail_msg("no '%s' in '%s'", wanted[i], sb_text(&l.text));
    if (!n)
        assert_int_equal(l.v.n, 0);
    lines_done(&l);
    checkpoint_close(p.checkpoint);
}

static void a_tensor_has_figures(void **state)
{
    static const char *const wanted[] = {
        "DT_FLOAT 16", "min -0.006805  max 0.003468", "mean -0.0006996  std 0.00276",
        "zeros 1  NaN 0  inf 0", "\xe2\x96\x88", " ...",
    };

    (void)state;
    check("Conv2d_1a_3x3/biases", wanted, sizeof wanted / sizeof *wanted);
}

static void a_scalar_is_shown_whole(void **state)
{
    static const char *const wanted[] = {"scalar", "min 4  max 4"};

    (void)state;
    check("global_step", wanted, sizeof wanted / sizeof *wanted);
}

static void other_rows_have_no_replay_details(void **state)
{
    (void)state;
    check("Conv2d_1a_3x3", NULL, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_tensor_has_figures),
        cmocka_unit_test(a_scalar_is_shown_whole),
        cmocka_unit_test(other_rows_have_no_replay_details),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
