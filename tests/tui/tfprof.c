/* tfprof.c: the program on a pseudo-terminal. */
#include "tfprof.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/wait.h>

#include <cmocka.h>

struct pty *tfprof_start(struct pty_setup setup, const char *const *args)
{
    const char *argv[TFPROF_MAX_ARGS + 2] = {getenv("TFPROF")};

    assert_non_null(argv[0]);
    for (size_t i = 0; args[i]; i++) {
        assert_true(i < TFPROF_MAX_ARGS);
        argv[i + 1] = args[i];
    }
    setup.argv = argv;
    if (!setup.dir && !setup.in_home)
        setup.dir = getenv("top_srcdir");
    return pty_start(&setup);
}

void tfprof_quit(struct pty *p)
{
    pty_keys(p, "Q");
    pty_wait_end(p);
    assert_string_equal(sb_text(&p->errors), "");
    assert_true(WIFEXITED(p->status));
    assert_int_equal(WEXITSTATUS(p->status), 0);
    pty_assert_restored(p);
    pty_free(p);
}
