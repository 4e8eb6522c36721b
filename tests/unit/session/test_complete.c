/* test_complete.c: completions at the cursor. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "fixtures/load_with.h"
#include "session/complete.h"

static struct profile *profile;

/* Returns the completions of LINE, separated by blanks, allocated with malloc(). */
static char *matches(const char *line, enum command_origin place)
{
    struct completions c;
    struct strbuf all = {0};

    complete_line(&c, line, strlen(line), place, profile);
    for (size_t i = 0; i < c.matches.n; i++) {
        sb_addf(&all, "%s%s", i ? " " : "", c.matches.items[i]);
        assert_memory_equal(c.matches.items[i], sb_text(&c.typed), c.typed.len);
    }
    completions_done(&c);
    return sb_take(&all);
}

static void expect(const char *line, enum command_origin place, const char *all)
{
    char *got = matches(line, place);

    assert_string_equal(got, all);
    free(got);
}

static void commands_come_first(void **state)
{
    (void)state;
    expect("s", AT_PROGRAM, "scope summary steps sql shell");
    expect("s", AT_PROMPT, "scope summary steps sql set");
    expect("  cod", AT_PROMPT, "code");
    expect("  co", AT_PROMPT, "code collectives");
    expect("scope x", AT_PROMPT, "");
}

static void options_keep_their_dashes(void **state)
{
    (void)state;
    expect("scope -max", AT_PROMPT, "-max_depth");
    expect("scope --max", AT_PROMPT, "--max_depth");
    expect("scope -step 1 -sel", AT_PROMPT, "-select");
    expect("scope --keep", AT_PROGRAM, "--keep-going");
    expect("scope --keep", AT_PROMPT, "");
    expect("scope -graph", AT_PROMPT, "");
    expect("scope -graph", AT_PROGRAM, "-graph_path");
    expect("scope -pre", AT_PROMPT, "-preset");
}

static void values_follow_their_option(void **state)
{
    (void)state;
    expect("scope -order_by pe", AT_PROMPT, "peak_bytes");
    expect("scope -order_by=pe", AT_PROMPT, "-order_by=peak_bytes");
    expect("scope -min_on s", AT_PROMPT, "self");
    expect("scope -account_displayed_op_only t", AT_PROMPT, "true");
    expect("scope -account_displayed_op_only -min_on", AT_PROMPT, "-min_on");
    expect("scope -preset f", AT_PROMPT, "float_operation");
    expect("scope -max_depth 1", AT_PROMPT, "");
    expect("scope -output pp", AT_PROMPT, "pprof:outfile=");
    expect("help min_on", AT_PROMPT, "min_on");
}

static void lists_complete_their_last_item(void **state)
{
    struct completions c;
    static const char line[] = "scope -select params,mic";

    (void)state;
    expect("scope -select params,mic", AT_PROMPT, "params,micros");
    expect("scope -select=params,mic", AT_PROMPT, "-select=params,micros");
    complete_line(&c, line, strlen(line), AT_PROMPT, NULL);
    assert_int_equal(c.item_start, strlen("params,"));
    assert_false(c.is_final);
    completions_done(&c);
}

static void names_complete_scope_by_scope(void **state)
{
    struct completions c;
    static const char line[] = "scope -show_name_regexes .*,pool_log";

    (void)state;
    expect("scope -show_name_regexes pool_logit/D", AT_PROMPT,
           "pool_logit/DW pool_logit/DW/");
    complete_line(&c, line, strlen(line), AT_PROMPT, profile);
    assert_int_equal(c.matches.n, 1);
    assert_string_equal(c.matches.items[0], ".*,pool_logit/");
    assert_false(c.is_final);
    completions_done(&c);
    expect("scope -show_name_regexes 'pool_logit/D", AT_PROMPT, "pool_logit/DW pool_logit/DW/");
    expect("scope -show_name_regexes nobody", AT_PROMPT, "");
}

static void file_names_are_completed_for_file_arguments(void **state)
{
    char folder[] = "/tmp/tfprof-complete-XXXXXX";
    char *line = NULL, *want = NULL;

    (void)state;
    assert_non_null(mkdtemp(folder));
    assert_int_equal(chdir(folder), 0);
    assert_int_equal(mkdir("graphs", 0700), 0);
    fclose(fopen("graph.pb", "w"));
    fclose(fopen(".hidden", "w"));
    expect("scope --graph_path=g", AT_PROGRAM, "--graph_path=graph.pb --graph_path=graphs/");
    expect("scope -run_meta_path a,gr", AT_PROGRAM, "a,graph.pb a,graphs/");
    expect("scope -output file:outfile=graph.", AT_PROMPT, "file:outfile=graph.pb");
    expect("scope -graph_path .h", AT_PROGRAM, ".hidden");
    if (asprintf(&line, "scope -graph_path %s/graph.", folder) < 0 ||
        asprintf(&want, "%s/graph.pb", folder) < 0)
        fail();
    expect(line, AT_PROGRAM, want);
    free(line);
    free(want);
    unlink("graph.pb");
    unlink(".hidden");
    rmdir("graphs");
    assert_int_equal(chdir("/"), 0);
    rmdir(folder);
}

static int load(void **state)
{
    char sample[4096];
    struct err err = {0};

    (void)state;
    snprintf(sample, sizeof sample, "%s/data/resnet32.pb.gz", getenv("top_srcdir"));
    profile = load_with(SETTINGS(NULL), sample, &err);
    return profile ? 0 : -1;
}

static int unload(void **state)
{
    (void)state;
    profile_free(profile);
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(commands_come_first),
        cmocka_unit_test(options_keep_their_dashes),
        cmocka_unit_test(values_follow_their_option),
        cmocka_unit_test(lists_complete_their_last_item),
        cmocka_unit_test(names_complete_scope_by_scope),
        cmocka_unit_test(file_names_are_completed_for_file_arguments),
    };

    return cmocka_run_group_tests_name("complete", tests, load, unload);
}
