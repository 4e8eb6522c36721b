/* test_hidden_frames.c: which files are libraries, and which frames a list hides. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "model/builder.h"
#include "view/build/hidden_frames.h"

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
    assert_int_equal(frame_is_hidden(&h, &frame), hidden); /* from the cache */
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
    assert_false(hides(".*", "", LINE_NONE)); /* no file has it */
}

/* The innermost frame of STACK that is not in a library. */
static const struct frame *own_frame(struct hidden_frames *h, struct profile *p, stack_id stack)
{
    return innermost_own_frame(h, profile_stack(p, stack));
}

static void the_innermost_user_frame_is_found(void **state)
{
    struct builder *b = builder_new();
    struct hidden_frames h;
    struct frame frames[4] = {{.lineno = 1}, {.lineno = 2}, {.lineno = 3}, {.lineno = LINE_NONE}};
    stack_id all, libraries, none;
    struct profile *p;

    (void)state;
    frames[0].file = builder_str(b, "train.py", 8);
    frames[1].file = builder_str(b, "model.py", 8);
    frames[2].file = builder_str(b, "torch/nn.py", 11);
    all = builder_stack(b, frames, 4);
    libraries = builder_stack(b, frames + 2, 2);
    none = builder_stack(b, frames + 3, 1);
    p = builder_finish(b);
    hidden_frames_init(&h, p, LIBRARY_FRAMES);
    assert_int_equal(own_frame(&h, p, all)->lineno, 2);
    assert_int_equal(own_frame(&h, p, libraries)->lineno, 3);
    assert_null(own_frame(&h, p, none));
    hidden_frames_done(&h);
    profile_free(p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(libraries_are_known_by_their_folders),
        cmocka_unit_test(lists_hide_whole_paths),
        cmocka_unit_test(the_innermost_user_frame_is_found),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
