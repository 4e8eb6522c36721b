/* test_actions.c: the action table and the keymap made from it. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "term/keyname.h"
#include "tui/keymap.h"

static void rows_are_whole_and_names_unique(void **state)
{
    (void)state;
    for (const struct action *a = action_table; a->name; a++) {
        assert_non_null(action_help(a));
        assert_non_null(action_group(a));
        assert_non_null(a->keys);
        assert_non_null(a->run);
        assert_int_not_equal(a->contexts & CTX_ALL, 0);
        assert_ptr_equal(action_find(a->name), a);
    }
    assert_null(action_find("no-such-action"));
}

/* Every default key parses, and no context has two actions on one key; the first key of a two-key
 * sequence has no action of its own. */
static void no_key_is_bound_twice(void **state)
{
    struct keymap m;
    size_t words = 0;

    (void)state;
    keymap_init(&m);
    for (const struct action *a = action_table; a->name; a++)
        for (const char *c = a->keys; *c; c += strspn(c, " "))
            words++, c += strcspn(c, " ");
    assert_int_equal(m.v.n, words);
    for (size_t i = 0; i < m.v.n; i++)
        for (size_t k = 0; k < i; k++) {
            const struct binding *x = &m.v.data[i], *y = &m.v.data[k];

            if (!(x->contexts & y->contexts) || x->keys[0] != y->keys[0])
                continue;
            if (x->keys[1] == y->keys[1] || !x->keys[1] || !y->keys[1])
                fail_msg("%s and %s share a key", x->action->name, y->action->name);
        }
    keymap_done(&m);
}

static void config_lines_bind(void **state)
{
    char *own[] = {"<f9>", "export"}, *placed[] = {"tree", "zz", "fold-open"};
    struct keymap m;
    struct err err = {0};
    struct strbuf label = {0};

    (void)state;
    keymap_init(&m);
    assert_null(keymap_find(&m, CTX_TREE, 0, TK_F9));
    assert_true(keymap_bind_words(&m, own, 2, &err));
    assert_ptr_equal(keymap_find(&m, CTX_DETAILS, 0, TK_F9), action_find("export"));
    assert_true(keymap_bind_words(&m, placed, 3, &err));
    assert_ptr_equal(keymap_find(&m, CTX_TREE, 'z', 'z'), action_find("fold-open"));
    assert_null(keymap_find(&m, CTX_MENU, 'z', 'z'));
    assert_true(keymap_is_prefix(&m, CTX_TREE, 'z'));
    assert_false(keymap_is_prefix(&m, CTX_MENU, 'z'));
    assert_true(keymap_label(&m, CTX_TREE, action_find("fold-toggle"), &label));
    assert_string_equal(sb_text(&label), "za");
    sb_done(&label);
    keymap_done(&m);
}

/* A rebound key is no longer displayed for its previous action. */
static void former_names_can_be_bound(void **state)
{
    char *words[] = {"lanes", "x", "lanes-range"};
    char *present[] = {"timeline", "y", "timeline-range"};
    struct keymap m;
    struct err err = {0};

    (void)state;
    keymap_init(&m);
    assert_true(keymap_bind_words(&m, words, 3, &err));
    assert_true(keymap_bind_words(&m, present, 3, &err));
    assert_ptr_equal(keymap_find(&m, CTX_TIMELINE, 0, 'x'), keymap_find(&m, CTX_TIMELINE, 0, 'y'));
    assert_non_null(keymap_find(&m, CTX_TIMELINE, 0, 'x'));
    assert_null(action_find("lanes-nowhere"));
    keymap_done(&m);
}

static void a_later_binding_wins(void **state)
{
    char *words[] = {"u", "export"};
    struct keymap m;
    struct err err = {0};
    struct strbuf label = {0};

    (void)state;
    keymap_init(&m);
    assert_true(keymap_bind_words(&m, words, 2, &err));
    assert_ptr_equal(keymap_find(&m, CTX_TREE, 0, 'u'), action_find("export"));
    assert_false(keymap_label(&m, CTX_TREE, action_find("undo"), &label));
    sb_done(&label);
    keymap_done(&m);
}

static void bad_lines_are_reported(void **state)
{
    static const struct {
        const char *words[4];
        size_t n;
        const char *message;
    } cases[] = {
        {{"x"}, 1, "bind takes [CONTEXT] KEYS ACTION"},
        {{"x", "fly"}, 2, "unknown action 'fly'"},
        {{"abc", "export"}, 2, "'abc' is not a key: write a, <c-a>, <f5> or two of them"},
        {{"garden", "x", "export"}, 3, "unknown key context 'garden'"},
    };
    struct keymap m;

    (void)state;
    keymap_init(&m);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct err err = {0};
        char *words[4];

        for (size_t k = 0; k < cases[i].n; k++)
            words[k] = (char *)(uintptr_t)cases[i].words[k];
        assert_false(keymap_bind_words(&m, words, cases[i].n, &err));
        assert_string_equal(err_text(&err), cases[i].message);
        err_done(&err);
    }
    keymap_done(&m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rows_are_whole_and_names_unique),
        cmocka_unit_test(no_key_is_bound_twice),
        cmocka_unit_test(config_lines_bind),
        cmocka_unit_test(former_names_can_be_bound),
        cmocka_unit_test(a_later_binding_wins),
        cmocka_unit_test(bad_lines_are_reported),
    };

    return cmocka_run_group_tests_name("tests/unit/tui/test_actions", tests, NULL, NULL);
}
