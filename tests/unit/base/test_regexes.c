/* test_regexes.c: lists of regexes: splitting, full matches, errors, the match limit. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <pthread.h>
#include <string.h>
#include <cmocka.h>

#include "base/regex/regexes.h"

static struct regexes *compile(const char *list)
{
    struct err err = {0};
    struct regexes *r = regexes_new(list, &err);

    assert_string_equal(err_text(&err), "");
    assert_non_null(r);
    return r;
}

static int match(const struct regexes *r, const char *text)
{
    return regexes_match(r, text, strlen(text));
}

struct splitting {
    const char *list;
    const char *items; /* joined by newlines */
};

static void add_item(const char *item, size_t len, size_t offset, void *arg)
{
    (void)offset;
    sb_add(arg, item, len);
    sb_addc(arg, '\n');
}

static void lists_are_split_at_plain_commas(void **state)
{
    static const struct splitting splittings[] = {
        {"", ""},
        {",,", ""},
        {"a", "a\n"},
        {"a,b", "a\nb\n"},
        {",a,,b,", "a\nb\n"},
        {"a\\,b,c", "a,b\nc\n"},
        {"save\\/.*,x\\d", "save\\/.*\nx\\d\n"},
        {"'a,b'", "a\nb\n"},
        {"\"Variable,VariableV2\"", "Variable\nVariableV2\n"},
        {"a\\", "a\\\n"},
        {"a b, c", "a b\n c\n"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof splittings / sizeof *splittings; i++) {
        struct strbuf sb = {0};

        regexes_split(splittings[i].list, add_item, &sb);
        assert_string_equal(sb_text(&sb), splittings[i].items);
        sb_done(&sb);
    }
}

static void only_whole_names_match(void **state)
{
    struct regexes *r = compile("conv,unit_.*,a|ab");

    (void)state;
    assert_int_equal(match(r, "conv"), 0);
    assert_int_equal(match(r, "conv1"), -1);
    assert_int_equal(match(r, "myconv"), -1);
    assert_int_equal(match(r, "unit_1/conv"), 1);
    assert_int_equal(match(r, "my/unit_1"), -1);
    assert_int_equal(match(r, "ab"), 2);
    assert_int_equal(match(r, ""), -1);
    assert_true(regexes_match_item(r, 0, "conv", 4));
    assert_false(regexes_match_item(r, 1, "conv", 4));
    regexes_free(r);
}

static void a_name_with_nul_is_matched_to_its_end(void **state)
{
    struct regexes *r = compile("a,a.b");

    (void)state;
    assert_int_equal(regexes_match(r, "a\0b", 3), 1);
    assert_int_equal(regexes_match(r, "a", 1), 0);
    regexes_free(r);
}

static void names_that_are_not_utf8_are_safe(void **state)
{
    struct regexes *r = compile("a.*b");

    (void)state;
    assert_int_equal(match(r, "a\xc3\xa9" "b"), 0);
    assert_int_equal(match(r, "\xff\xfe"), -1);
    regexes_free(r);
}

/* An ASCII pattern has a separate engine for ASCII names; in other names "." must still match a
 * whole character. */
static void regexes_match_whole_characters(void **state)
{
    static const struct {
        const char *pattern, *name;
        int match;
    } cases[] = {
        {"a.b", "a\xc3\xa9" "b", 0}, {"a.b", "axb", 0},          {"a..b", "a\xc3\xa9" "b", -1},
        {"a[^x]b", "a\xc3\xa9" "b", 0}, {"a\\wb", "a\xc3\xa9" "b", -1}, {"(?i)AB+", "abBb", 0},
        {"(?i)k", "\xe2\x84\xaa", 0}, {"\\x{e9}", "\xc3\xa9", 0},  {"\\x{e9}", "e", -1},
        {"a.b", "a\xff" "b", -1},     {"\\x{263a}?a", "a", 0},
    };

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct err err = {0};
        struct regexes *r = regexes_new(cases[i].pattern, &err);

        assert_non_null(r);
        if (regexes_match(r, cases[i].name, strlen(cases[i].name)) != cases[i].match)
            fail_msg("%s and %s", cases[i].pattern, cases[i].name);
        regexes_free(r);
    }
}

static void only_dot_star_is_the_wildcard(void **state)
{
    static const char *const others[] = {"", ".*,a", ".+", "(.*)"};
    struct regexes *r = compile(".*");

    (void)state;
    assert_true(regexes_is_wildcard(r));
    regexes_free(r);
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        r = compile(others[i]);
        assert_false(regexes_is_wildcard(r));
        regexes_free(r);
    }
}

static void an_error_names_item_and_column(void **state)
{
    struct err err = {0};

    (void)state;
    assert_null(regexes_new("ok,a[12_", &err));
    assert_int_equal(err.kind, ERR_USAGE);
    assert_non_null(strstr(err_text(&err), "#2, column "));
    assert_non_null(strstr(err_text(&err), "]"));
    assert_non_null(strstr(err_text(&err), "'a[12_'"));
    err_done(&err);
    assert_null(regexes_new("*", &err));
    assert_non_null(strstr(err_text(&err), "#1, column "));
    err_done(&err);
}

static void a_catastrophic_match_is_stopped_and_counted(void **state)
{
    struct regexes *r = compile("fine,(a+)+[bc]");
    struct notes notes = {0};
    char name[201];

    (void)state;
    memset(name, 'a', 200);
    name[200] = '\0';
    regexes_note_undecided(r, "-x", 9, &notes);
    assert_int_equal(notes.n, 0);
    assert_int_equal(match(r, name), -1);
    assert_int_equal(regexes_undecided(r), 1);
    assert_false(regexes_gave_up(r));
    assert_int_equal(match(r, "ab"), 1);
    regexes_note_undecided(r, "-x", 9, &notes);
    assert_int_equal(notes.n, 1);
    assert_string_equal(notes.data[0].text,
                        "-x #2 '(a+)+[bc]': work limit exceeded on 1 name, which does not match");
    notes_done(&notes);
    regexes_free(r);
}

static void errors_give_the_item_of_the_list(void **state)
{
    static const struct {
        const char *list;
        size_t item, byte;
    } cases[] = {
        {"a[", 1, 2}, {"abc,d[", 2, 6}, {"'abc,,d['", 2, 8}, {"a\\,b\\,[", 1, 7},
        {"\\d\\,\\d[", 1, 7},
    };

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct err err = {0};

        assert_null(regexes_new(cases[i].list, &err));
        assert_int_equal(err.item, cases[i].item);
        assert_int_equal(err.byte, cases[i].byte);
        err_done(&err);
    }
}

static void a_list_stops_at_its_budget(void **state)
{
    struct regexes *r = compile("fine,(a+)+[bc]");
    struct notes notes = {0};
    char name[101];
    int n = 0;

    (void)state;
    memset(name, 'a', 100);
    name[100] = '\0';
    for (; n < 10000 && !regexes_gave_up(r); n++)
        match(r, name);
    assert_in_range(n, 10, 1000);
    assert_int_equal(match(r, "fine"), -1);
    assert_int_equal(match(r, "ab"), -1);
    regexes_note_undecided(r, "-x", 12345, &notes);
    assert_string_equal(notes.data[0].text,
                        "-x #2 '(a+)+[bc]': work limit exceeded on 12345 names, which do not match");
    notes_done(&notes);
    regexes_free(r);
}

/* Typical regexes stay below the match limit, for model names of any length. */
static void typical_regexes_stay_below_the_limit(void **state)
{
    static const struct {
        const char *pattern;
        size_t max_len;
    } cases[] = {
        {".*conv_\\d+", 1500},        {".*/(Relu|bn)_?[0-9]+.*", 1500}, {"([a-z]+_\\d+/)+conv_\\d+", 1500},
        {"(\\w+/)*[M-R]", 1500},      {".*([a-z]+_\\d+/)+Mul.*", 1500}, {"[a-z_0-9/]+[A-Z]", 1500},
        {"(?:(?!conv_9).)*", 1500},   {"(?!.*conv).*[bc]n.*", 1500},    {"(.*conv_x.*|.*bn_1.*)", 1500},
        {"(tower|bn)_(\\d+)/.*_\\2[a-z]", 1500}, {".*tower_\\d.*conv_\\d.*[bc]n_\\d.*", 80},
        {".*([a-z]+_\\d+/)+[A-Z]", 100},
    };
    struct strbuf name = {0};

    (void)state;
    for (int i = 0; name.len < 1500; i++)
        sb_addf(&name, "%s_%d/", i % 3 ? "conv" : "tower", i);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct regexes *r = compile(cases[i].pattern);

        for (size_t len = 10; len <= cases[i].max_len; len += 7)
            for (int repeat = 0; repeat < 100; repeat++)
                regexes_match(r, sb_text(&name), len);
        if (regexes_undecided(r))
            fail_msg("%s", cases[i].pattern);
        regexes_free(r);
    }
    sb_done(&name);
}

/* Needs more than the stack of JIT code. */
static void a_group_with_many_repetitions_is_matched(void **state)
{
    struct regexes *r = compile("([a-z]/)+X");
    struct strbuf name = {0};

    (void)state;
    for (int i = 0; i < 900; i++)
        sb_adds(&name, "a/");
    sb_addc(&name, 'X');
    assert_int_equal(match(r, sb_text(&name)), 0);
    assert_int_equal(regexes_undecided(r), 0);
    sb_done(&name);
    regexes_free(r);
}

static void a_quoted_name_matches_only_itself(void **state)
{
    static const char *const names[] = {
        "a.b", "a,b", "x[1](2){3}", "'quoted'", "\"", "back\\slash", "^$|?*+", "tab\there", "caf\xc3\xa9",
        "not \xff text", "\x80.\xc3", "\x01[2J",
    };

    (void)state;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        struct strbuf sb = {0};
        struct regexes *r;

        regexes_quote(&sb, names[i], strlen(names[i]));
        sb_adds(&sb, ",other");
        r = compile(sb_text(&sb));
        assert_int_equal(regexes_count(r), 2);
        assert_int_equal(match(r, names[i]), 0);
        assert_int_equal(match(r, "aXb"), -1);
        regexes_free(r);
        sb_done(&sb);
    }
}

/* Escaped literals are compared directly; other escapes use the engine. */
static void escapes_mean_the_same_as_in_the_engine(void **state)
{
    static const struct {
        const char *pattern, *name;
        int match;
    } cases[] = {
        {"a\\.b", "a.b", 0},   {"a\\.b", "axb", -1},      {"\\x2Cb", ",b", 0},    {"\\x2cb", ",b", 0},
        {"\\x4", "\x04", 0},   {"\\x+1", "+1", -1},       {"\\x 1", " 1", -1},    {"\\xE9", "\xc3\xa9", 0},
        {"\\d", "1", 0},       {"\\_a", "_a", 0},          {"\\\\d", "\\d", 0},   {"\\Qa.b\\E", "a.b", 0},
        {"\\Qa.b\\E", "axb", -1},
    };

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct regexes *r = compile(cases[i].pattern);

        if (match(r, cases[i].name) != cases[i].match)
            fail_msg("%s and %s", cases[i].pattern, cases[i].name);
        regexes_free(r);
    }
}

static void *match_often(void *arg)
{
    size_t matches = 0;

    for (int i = 0; i < 20000; i++)
        matches += match(arg, i % 2 ? "unit_1/conv" : "unit-1") == 0;
    return (void *)matches; /* NOLINT: the result of the thread is a number */
}

static void threads_share_a_list(void **state)
{
    struct regexes *r = compile("unit_.*");
    pthread_t threads[4];
    void *matches;

    (void)state;
    for (size_t i = 0; i < 4; i++)
        assert_int_equal(pthread_create(&threads[i], NULL, match_often, r), 0);
    for (size_t i = 0; i < 4; i++) {
        assert_int_equal(pthread_join(threads[i], &matches), 0);
        assert_int_equal((size_t)matches, 10000);
    }
    regexes_free(r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lists_are_split_at_plain_commas),
        cmocka_unit_test(only_whole_names_match),
        cmocka_unit_test(a_name_with_nul_is_matched_to_its_end),
        cmocka_unit_test(names_that_are_not_utf8_are_safe),
        cmocka_unit_test(regexes_match_whole_characters),
        cmocka_unit_test(only_dot_star_is_the_wildcard),
        cmocka_unit_test(an_error_names_item_and_column),
        cmocka_unit_test(a_catastrophic_match_is_stopped_and_counted),
        cmocka_unit_test(errors_give_the_item_of_the_list),
        cmocka_unit_test(a_list_stops_at_its_budget),
        cmocka_unit_test(typical_regexes_stay_below_the_limit),
        cmocka_unit_test(a_group_with_many_repetitions_is_matched),
        cmocka_unit_test(a_quoted_name_matches_only_itself),
        cmocka_unit_test(escapes_mean_the_same_as_in_the_engine),
        cmocka_unit_test(threads_share_a_list),
    };

    return cmocka_run_group_tests_name("base/regexes", tests, NULL, NULL);
}
