/* test_search.c: the next match equals that of a linear search in the order of the screen. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "base/vec.h"
#include "base/xalloc.h"
#include "fixtures/random_profile.h"
#include "tui/rows/search.h"

typedef VEC(row_id) row_list;

/* A result, and the search in it. */
struct searched {
    struct result *result;
    struct search search;
    bool reverse;
};

static void list_rows(struct searched *a, row_id row, row_list *list)
{
    uint32_t n;
    const row_id *children = result_children(a->result, row, &n);

    vec_push(list, row);
    for (uint32_t i = 0; i < n; i++)
        list_rows(a, children[a->reverse ? n - 1 - i : i], list);
}

/* The next match from position AT in DIRECTION, wrapping around. */
static row_id plain_next(const struct searched *a, const row_list *list, size_t at, int direction,
                         bool *wrapped)
{
    size_t i = at;

    *wrapped = false;
    for (size_t steps = 0; steps < list->n; steps++) {
        row_id row;

        if (direction > 0 ? i + 1 == list->n : i == 0)
            *wrapped = true;
        i = direction > 0 ? (i + 1) % list->n : (i + list->n - 1) % list->n;
        row = list->data[i];
        if (row && regexes_match(a->search.regexes, tree_name(a->result->tree, row),
                                 tree_name_len(a->result->tree, row)) >= 0)
            return row;
    }
    return ROW_NONE;
}

static void search_for(struct searched *a, struct query *q, const char *text)
{
    struct strbuf list = {0};
    struct err err = {0};
    uint32_t *before = xcalloc((size_t)a->result->tree->n_rows + 1, sizeof *before);

    assert_true(search_set(&a->search, text, &err));
    assert_false(search_is_known(&a->search, a->result));
    search_list(&a->search, &list);
    assert_true(query_count_matches(q, a->result, sb_text(&list), before,
                                    (struct cancel_mark){0}, &err));
    search_set_matches(&a->search, a->result, before, NULL);
    assert_true(search_is_known(&a->search, a->result));
    sb_done(&list);
}

static void check_all_rows(struct searched *a)
{
    row_list list = {0};

    list_rows(a, 0, &list);
    for (size_t i = 0; i < list.n; i++)
        for (int direction = -1; direction <= 1; direction += 2) {
            bool wrapped, plain_wrapped;
            const row_id next = search_next(&a->search, list.data[i], direction,
                                            a->reverse, &wrapped);

            assert_int_equal(next, plain_next(a, &list, i, direction, &plain_wrapped));
            if (next != ROW_NONE)
                assert_int_equal(wrapped, plain_wrapped);
        }
    vec_done(&list);
}

static void the_next_match_equals_a_linear_search(void **state)
{
    static const char *const texts[] = {"conv", "a", "/b$", "nothing like this", "."};
    uint64_t seed = 5;

    (void)state;
    for (int i = 0; i < 30; i++) {
        struct profile *p = random_profile(&seed, 1 + random_below(&seed, 60));
        struct query *q = query_new(p);
        struct options o;
        struct err err = {0};
        struct searched a = {.reverse = i % 2};

        options_init(&o);
        o.order_by = ORDER_METRIC + METRIC_MICROS;
        for (int view = 0; view < VIEW_ADVISE; view++)
            for (size_t text = 0; text < sizeof texts / sizeof *texts; text++) {
                o.max_depth = 1 + (int)random_below(&seed, 7);
                a.result = query_run(q, (enum view_id)view, &o, (struct cancel_mark){0}, &err);
                assert_non_null(a.result);
                search_for(&a, q, texts[text]);
                check_all_rows(&a);
                search_forget(&a.search);
                result_free(a.result);
            }
        search_done(&a.search);
        query_free(q);
        options_done(&o);
        profile_free(p);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(the_next_match_equals_a_linear_search)};

    return cmocka_run_group_tests(tests, NULL, NULL);
}
