/* test_hidden_frames.c: which files are libraries, and which frames a list hides. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "view/hidden_frames.h"

#define COUNT(a) (sizeof(a) / sizeof *(a))

static strid put(struct profile *p, const char *text)
{
    return intern_put(&p->strings, text, strlen(text));
}

static bool hides(const char *list, const char *file, int32_t line)
{
    struct profile p = {.n_nodes = 0};
    struct hidden_frames h;
    struct frame frame = {.lineno = line};
    bool hidden;

    intern_init(&p.strings);
    frame.file = put(&p, file);
    hidden_frames_init(&h, &p, list);
    hidden = frame_is_hidden(&h, &frame);
    assert_int_equal(frame_is_hidden(&h, &frame), hidden); /* as remembered */
    hidden_frames_done(&h);
    intern_done(&p.strings);
    return hidden;
}

static void libraries_are_known_by_their_folders(void **state)
{
    static const char *const libraries[] = {
        "/usr/lib/python3.11/threading.py",
        "/opt/py/lib64/python3.9/runpy.py",
        "lib/python3/json/decoder.py",
        "/home/me/.venv/lib/python3.11/site-packages/jax/_src/core.py",
        "site-packages/tensorflow/python/framework/ops.py",
        "/usr/lib/python3/dist-packages/numpy/linalg.py",
        "/build/tensorflow/python/ops/nn.py",
        "torch/nn/modules/module.py",
        "<frozen importlib._bootstrap>",
    };
    static const char *const own[] = {
        "train.py",       "/home/me/model.py", "lib/net.py",           "/home/me/torch/net.py",
        "mytorch/net.py", "lib/pythonic.py",   "tensorflow/models.py", "",
    };

    (void)state;
    for (size_t i = 0; i < COUNT(libraries); i++)
        if (!hides(LIBRARY_FRAMES, libraries[i], 1))
            fail_msg("%s is no library", libraries[i]);
    for (size_t i = 0; i < COUNT(own); i++)
        if (hides(LIBRARY_FRAMES, own[i], 1))
            fail_msg("%s is a library", own[i]);
}

static void lists_hide_whole_paths(void **state)
{
    (void)state;
    assert_false(hides("", "a.py", 1));
    assert_true(hides("a[.]py", "a.py", 1));
    assert_false(hides("a", "a.py", 1));
    assert_true(hides("library,.*/mine/.*", "/x/mine/a.py", 1));
    assert_true(hides(".*/mine/.*,library", "torch/a.py", 1));
    assert_false(hides("[l]ibrary", "torch/a.py", 1)); /* a file of that name */
    assert_true(hides("x{1\\,2}[.]py", "xx.py", 1));
    assert_false(hides(".*", "", LINE_NO_PLACE)); /* no file has it */
}

static void the_innermost_line_of_ones_own_is_found(void **state)
{
    struct profile p = {.n_nodes = 0};
    struct hidden_frames h;
    struct frame frames[4];
    const struct call_stack all = {frames, 4}, libraries = {frames + 2, 2}, none = {frames + 3, 1};

    (void)state;
    intern_init(&p.strings);
    frames[0] = (struct frame){.file = put(&p, "train.py"), .lineno = 1};
    frames[1] = (struct frame){.file = put(&p, "model.py"), .lineno = 2};
    frames[2] = (struct frame){.file = put(&p, "torch/nn.py"), .lineno = 3};
    frames[3] = (struct frame){.lineno = LINE_NO_PLACE};
    hidden_frames_init(&h, &p, LIBRARY_FRAMES);
    assert_ptr_equal(innermost_own_frame(&h, &all), &frames[1]);
    assert_ptr_equal(innermost_own_frame(&h, &libraries), &frames[2]);
    assert_null(innermost_own_frame(&h, &none));
    hidden_frames_done(&h);
    intern_done(&p.strings);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(libraries_are_known_by_their_folders),
        cmocka_unit_test(lists_hide_whole_paths),
        cmocka_unit_test(the_innermost_line_of_ones_own_is_found),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
