/* test_options.c: text and value of every option correspond; presets, suggestions for misspellings,
 * refusals. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdlib.h>
#include <string.h>

#include "opt/suggest.h"
#include "fixtures/random_options.h"

static const struct option *find(const char *name)
{
    const struct option *opt = option_find(name);

    assert_non_null(opt);
    return opt;
}

static void set(struct options *o, const char *name, const char *value)
{
    struct err err = {0};

    if (!option_set(o, find(name), value, &err))
        fail_msg("%s", err_text(&err));
}

static void refuse(const char *name, const char *value, const char *text)
{
    struct options o, before;
    struct err err = {0};

    options_init(&o);
    options_copy(&before, &o);
    assert_false(option_set(&o, find(name), value, &err));
    assert_int_equal(err.kind, ERR_USAGE);
    if (!strstr(err_text(&err), text))
        fail_msg("'%s' lacks '%s'", err_text(&err), text);
    assert_int_equal(options_changed_stages(&o, &before), 0);
    err_done(&err);
    options_done(&o);
    options_done(&before);
}

static void names_are_distinct_and_defaults_default(void **state)
{
    struct options o;

    (void)state;
    options_init(&o);
    for (size_t i = 0; i < option_table_n; i++) {
        assert_ptr_equal(option_find(option_table[i].name), &option_table[i]);
        if (!option_table[i].stands_for)
            assert_true(option_is_default(&o, &option_table[i]));
    }
    assert_int_equal(o.max_depth, 10);
    assert_int_equal(o.step, -1);
    assert_string_equal(o.account_type_regexes, ".*");
    assert_string_equal(o.trim_name_regexes, "");
    assert_int_equal(o.select, FIELD_BIT(METRIC_MICROS));
    assert_string_equal(o.output, "stdout");
    options_done(&o);
}

static void printing_and_parsing_is_the_identity(void **state)
{
    uint64_t seed = 1;

    (void)state;
    for (int round = 0; round < 300; round++) {
        struct options drawn, again;
        struct err err = {0};

        options_init(&drawn);
        options_init(&again);
        if (!random_options(&drawn, &seed, &err))
            fail_msg("round %d: %s", round, err_text(&err));
        for (size_t i = 0; i < option_table_n; i++) {
            const struct option *opt = &option_table[i];
            struct strbuf text = {0};

            if (opt->stands_for)
                continue;
            option_print(&text, &drawn, opt);
            set(&again, opt->name, sb_text(&text));
            if (!option_equal(&drawn, &again, opt))
                fail_msg("round %d: -%s %s", round, opt->name, sb_text(&text));
            sb_done(&text);
        }
        assert_int_equal(options_changed_stages(&drawn, &again), 0);
        options_done(&drawn);
        options_done(&again);
    }
}

static void lists_are_normalised(void **state)
{
    struct options o;

    (void)state;
    options_init(&o);
    set(&o, "show_name_regexes", "'\"a,,b{1\\,2},'");
    assert_string_equal(o.show_name_regexes, "a,b{1\\,2}");
    set(&o, "select", "'params,micros,,params'");
    assert_int_equal(o.select, FIELD_BIT(METRIC_PARAMS) | FIELD_BIT(METRIC_MICROS));
    set(&o, "select", "");
    assert_int_equal(o.select, 0);
    options_done(&o);
}

static void booleans_have_ten_words(void **state)
{
    static const char *const yes[] = {"true", "t", "yes", "y", "1", "TRUE", "Yes"};
    static const char *const no[] = {"false", "f", "no", "n", "0", "False", "NO"};
    struct options o;

    (void)state;
    options_init(&o);
    for (size_t i = 0; i < 7; i++) {
        set(&o, "hide_unaccounted", yes[i]);
        assert_true(o.hide_unaccounted);
        set(&o, "hide_unaccounted", no[i]);
        assert_false(o.hide_unaccounted);
    }
    options_done(&o);
}

static void rates_have_units(void **state)
{
    static const struct {
        const char *typed;
        int64_t value;
        const char *printed;
    } rates[] = {
        {"312T", INT64_C(312000000000000), "312T"},
        {"1.5Tflop/s", INT64_C(1500000000000), "1.5T"},
        {"0.75GFLOPS", 750000000, "750M"},
        {"12", 12, "12"},
        {"1.2345k", 1234, "1.234k"},
        {".5M", 500000, "500k"},
        {"3.0K", 3000, "3k"},
        {"1000001", 1000001, "1.000001M"},
        {"9E", INT64_C(9000000000000000000), "9E"},
        {"default", 0, "default"},
    };
    struct strbuf text = {0};
    struct options o;

    (void)state;
    options_init(&o);
    for (size_t i = 0; i < sizeof rates / sizeof *rates; i++) {
        set(&o, "peak_flops", rates[i].typed);
        assert_int_equal(o.peak_flops, rates[i].value);
        sb_clear(&text);
        option_print(&text, &o, find("peak_flops"));
        assert_string_equal(sb_text(&text), rates[i].printed);
    }
    set(&o, "peak_bandwidth", "1.5TB/s");
    assert_int_equal(o.peak_bandwidth, INT64_C(1500000000000));
    refuse("peak_bandwidth", "1.5TiB/s", "'1.5TiB/s' is not a rate as 312G or 1.5TB/s");
    refuse("peak_flops", "1.5TB/s", "is not a rate");
    refuse("peak_flops", "-1", "is not a rate");
    refuse("peak_flops", ".", "is not a rate");
    refuse("peak_flops", "1..5", "is not a rate");
    refuse("peak_flops", "", "is not a rate");
    refuse("peak_flops", "0", "0 is not between 1 and");
    refuse("peak_flops", "0.0004k", "is not between 1 and");
    refuse("peak_flops", "9.3E", "is not between 1 and");
    refuse("peak_flops", "99999999999999999999", "is not between 1 and");
    sb_done(&text);
    options_done(&o);
}

static void old_names_still_work(void **state)
{
    struct options o;

    (void)state;
    options_init(&o);
    set(&o, "dump_to_file", "/tmp/x=y");
    assert_string_equal(o.output, "file:outfile=/tmp/x=y");
    set(&o, "viz", "true");
    assert_true(o.viz);
    set(&o, "select", "num_hidden_ops");
    assert_int_equal(o.select, FIELD_BIT(FIELD_NUM_HIDDEN_OPS));
    set(&o, "order_by", "depth");
    assert_int_equal(o.order_by, ORDER_DEPTH);
    options_done(&o);
}

static void wrong_values_are_refused_by_name(void **state)
{
    (void)state;
    refuse("max_depth", "four", "-max_depth: 'four' is not a whole number");
    refuse("max_depth", "", "not a whole number");
    refuse("max_depth", "-", "not a whole number");
    refuse("max_depth", "1e3", "not a whole number");
    refuse("min_bytes", "9223372036854775808", "-min_bytes: 9223372036854775808 is not between");
    refuse("select", "params,micro", "unknown field 'micro': did you mean micros?");
    refuse("order_by", "size", "unknown order 'size'");
    refuse("order_by", "mirco", "did you mean micros?");
    refuse("min_on", "selv", "did you mean self?");
    refuse("trace_text", "maybe", "'maybe' is neither true nor false");
    refuse("source_map", "/a=/b,c", "-source_map: 'c' is not FROM=TO");
    refuse("output", "", "a value is missing");
    refuse("show_name_regexes", "ok,a[12_",
           "-show_name_regexes #2, column 6: missing");
}

static void presets_set_what_the_python_api_sets(void **state)
{
    struct options o;
    struct err err = {0};

    (void)state;
    options_init(&o);
    assert_true(options_preset(&o, "time_and_memory", &err));
    assert_int_equal(o.max_depth, 10000);
    assert_int_equal(o.min[METRIC_MICROS], 1);
    assert_int_equal(o.min[METRIC_BYTES], 1);
    assert_true(o.account_displayed_op_only);
    assert_int_equal(o.select, FIELD_BIT(METRIC_MICROS) | FIELD_BIT(METRIC_BYTES));
    assert_int_equal(o.order_by, ORDER_METRIC + METRIC_MICROS);
    assert_true(options_preset(&o, "trainable_variables_parameter", &err));
    assert_string_equal(o.account_type_regexes, "_trainable_variables");
    assert_false(options_preset(&o, "float_operations", &err));
    assert_string_equal(err_text(&err),
                        "-preset: unknown preset 'float_operations': did you mean float_operation?");
    err_done(&err);
    options_done(&o);
}

static const char *nearest(const char *typed)
{
    struct suggest s;

    suggest_init(&s, typed);
    for (size_t i = 0; i < option_table_n; i++)
        suggest_try(&s, option_table[i].name);
    return s.best;
}

static void only_similar_names_are_suggested(void **state)
{
    (void)state;
    assert_string_equal(nearest("max_dept"), "max_depth");
    assert_string_equal(nearest("max-depth"), "max_depth");
    assert_string_equal(nearest("max_detph"), "max_depth");
    assert_string_equal(nearest("account_displayed"), "account_displayed_op_only");
    assert_string_equal(nearest("selct"), "select");
    assert_null(nearest("frobnicate"));
    assert_null(nearest(""));
}

static void suggested_changes_name_the_options(void **state)
{
    struct options a, b;

    (void)state;
    options_init(&a);
    options_copy(&b, &a);
    set(&b, "order_by", "micros");
    assert_int_equal(options_changed_stages(&a, &b), STAGE_ORDER);
    set(&b, "account_type_regexes", "Conv2D");
    assert_int_equal(options_changed_stages(&a, &b), STAGE_ORDER | STAGE_ACCOUNT);
    set(&b, "graph_path", "x");
    assert_true(options_changed_stages(&a, &b) & STAGE_LOAD);
    options_done(&a);
    options_done(&b);
}

static unsigned place_of(int field, int multi)
{
    const struct field_position place =
        field < METRIC_COUNT ? metrics[field].place : field_get(field)->place;

    return multi ? place.multi : place.single;
}

/* Each field once, in the order of the position in its row; equal positions by number. */
static void test_order_of_fields(void **state)
{
    (void)state;
    for (int multi = 0; multi < 2; multi++) {
        int order[FIELD_COUNT];
        field_set seen = 0;

        field_order(multi, order);
        for (int i = 0; i < FIELD_COUNT; i++) {
            assert_false(field_in(seen, order[i]));
            seen |= FIELD_BIT(order[i]);
            assert_true(!i || place_of(order[i - 1], multi) < place_of(order[i], multi) ||
                        (place_of(order[i - 1], multi) == place_of(order[i], multi) &&
                         order[i - 1] < order[i]));
        }
        assert_int_equal(order[0], multi ? METRIC_BYTES : METRIC_PARAMS);
        assert_int_equal(order[FIELD_COUNT - 1], FIELD_BY_STEP);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_order_of_fields),
        cmocka_unit_test(names_are_distinct_and_defaults_default),
        cmocka_unit_test(printing_and_parsing_is_the_identity),
        cmocka_unit_test(lists_are_normalised),
        cmocka_unit_test(booleans_have_ten_words),
        cmocka_unit_test(rates_have_units),
        cmocka_unit_test(old_names_still_work),
        cmocka_unit_test(wrong_values_are_refused_by_name),
        cmocka_unit_test(presets_set_what_the_python_api_sets),
        cmocka_unit_test(only_similar_names_are_suggested),
        cmocka_unit_test(suggested_changes_name_the_options),
    };

    return cmocka_run_group_tests_name("options", tests, NULL, NULL);
}
