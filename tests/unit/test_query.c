/* test_query.c: the pipeline against the naive reference, on random profiles
 * and options, with the caches of one query carried along. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "naive_query.h"
#include "random_profile.h"
#include "view/query.h"

static void print_result(struct strbuf *out, struct result *r)
{
    struct result_walk w;

    result_need(r, FIELD_BIT(METRIC_COUNT) - 1);
    result_walk_init(&w, r, 0);
    while (result_walk_next(&w)) {
        struct naive_line line = {(int)w.depth,
                                  tree_name(r->tree, w.row),
                                  tree_name_len(r->tree, w.row),
                                  r->accounted[w.row],
                                  (long)r->own[w.row],
                                  {0},
                                  {0},
                                  r->view->is_multi ? 0 : r->total_defs[w.row],
                                  r->view->is_list ? 0 : r->hidden_ops[w.row]};

        if (r->view->is_list && w.row == 0)
            continue;
        for (int m = 0; m < METRIC_COUNT; m++) {
            line.self[m] = r->self[m][w.row];
            line.total[m] = r->total[m][w.row];
        }
        naive_print(out, &line);
    }
    result_walk_done(&w);
}

static void compare(struct query *q, const struct profile *p, enum view_id view,
                    const struct options *o, uint64_t seed)
{
    struct err err = {0};
    struct strbuf want = {0}, got = {0};
    struct result *r = query_run(q, view, o, (struct cancel_mark){0}, &err);

    if (!r)
        fail_msg("seed %llu: %s", (unsigned long long)seed, err_text(&err));
    print_result(&got, r);
    naive_query(&want, p, view, o);
    if (strcmp(sb_text(&want), sb_text(&got)) != 0) {
        fprintf(stderr, "seed %llu view %s\n", (unsigned long long)seed, r->view->name);
        for (size_t i = 0; i < option_table_n; i++)
            if (!option_table[i].stands_for && !option_is_default(o, &option_table[i])) {
                struct strbuf value = {0};

                option_print(&value, o, &option_table[i]);
                fprintf(stderr, "-%s '%s'\n", option_table[i].name, sb_text(&value));
                sb_done(&value);
            }
        fprintf(stderr, "--- naive\n%s--- pipeline\n%s", sb_text(&want), sb_text(&got));
        fail();
    }
    result_free(r);
    sb_done(&want);
    sb_done(&got);
}

/* Each profile is asked many times by one query, so what is kept from run to
 * run is tested as well as what is computed. */
static void random_results_are_those_of_the_naive_reference(void **unused)
{
    const char *rounds_text = getenv("TFPROF_TEST_ROUNDS");
    const uint64_t rounds = rounds_text ? strtoull(rounds_text, NULL, 10) : 150;

    (void)unused;
    for (uint64_t seed = 1; seed <= rounds; seed++) {
        uint64_t state = seed;
        struct profile *p = random_profile(&state, seed % 4 ? 12 : 60);
        struct query *q = query_new_threads(p, seed % 3 ? 1 : 3);
        struct options o;

        options_init(&o);
        o.flops = FLOPS_LOG;
        for (int i = 0; i < 12; i++) {
            if (random_below(&state, 6) == 0) {
                options_done(&o);
                options_init(&o);
            }
            random_query_options(&o, &state);
            compare(q, p, (enum view_id)random_below(&state, VIEW_ADVISE), &o, seed);
        }
        options_done(&o);
        query_free(q);
        profile_free(p);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_results_are_those_of_the_naive_reference),
    };

    return cmocka_run_group_tests_name("query", tests, NULL, NULL);
}
