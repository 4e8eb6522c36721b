/* test_search_form.c: the search form of a regex, and where its search starts. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdio.h>
#include <string.h>

#include "base/regex/search_form.h"

struct fact {
    const char *regex;
    const char *form; /* ".*" at the start is printed as "<", at the end as ">"; NULL: none */
    size_t max_len;
};

static const struct fact facts[] = {
    {".*conv_\\d+", "<conv_\\d+", 6},
    {".*conv_[0-9]+", "<conv_[0-9]+", 6},
    {".*conv_[0-5]", "<conv_[0-5]", 6},
    {".*conv_[0-5]+", "<conv_[0-5]+", 6},
    {".*conv_[a-f]+", "<conv_[a-f]+", 0},
    {".*conv_[^0]+", "<conv_[^0]+", 0},
    {".*(conv|bn)_?\\d*", "<(conv|bn)_?\\d*", 12},
    {".*\\d+x", "<\\d+x", 0},
    {".*/(conv|bn)_?[0-9]+/.*", "</(conv|bn)_?[0-9]+/>", 0},
    {"tower_\\d/.*", "tower_\\d/>", 0},
    {"(?i).*CONV.*", "<(?i)CONV>", 0},
    {"^.*conv$", "<conv$", 5},
    {".*conv.*$", "<conv>", 0},
    {".*conv\\d+|.*bn\\d+", "<conv\\d+|bn\\d+", 8},
    {".*(a)\\1", "<(a)\\1", 0},
    {".*a\\.*", "<a\\.*", 0},
    {".*[.*].*", "<[.*]>", 0},
    {"conv", NULL, 0},
    {".*conv|bn", NULL, 0},
    {".*conv|bn.*", NULL, 0},
    {".*+conv", NULL, 0},
    {".*?conv", NULL, 0},
    {".*\\Gconv", NULL, 0},
    {".*(*PRUNE)conv", NULL, 0},
    {".*(?R)?conv", NULL, 0},
    {".*(?x)c o n v", NULL, 0},
    {".*\\Qa|b\\E", NULL, 0},
    {".*\\g<0>?a", NULL, 0},
    {".*[[:alpha:]]", NULL, 0},
    {".*|.*a", NULL, 0},
    {".*(a|.*){0}", NULL, 0},
    {".*(?=a)b*a", NULL, 0},
};

static void the_form_is_the_middle_of_the_regex(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof facts / sizeof *facts; i++) {
        const struct fact *fact = &facts[i];
        struct search_form f;
        const bool has_form = search_form_init(&f, fact->regex, strlen(fact->regex));
        char form[100] = "";

        if (has_form)
            snprintf(form, sizeof form, "%s%s%s", f.open_start ? "<" : "", sb_text(&f.regex),
                     f.open_end ? ">" : "");
        if (strcmp(form, fact->form ? fact->form : "") != 0 ||
            (has_form && f.max_len != fact->max_len))
            fail_msg("'%s': '%s' of %zu bytes", fact->regex, form, f.max_len);
        search_form_done(&f);
    }
}

static size_t start_of(const char *regex, const char *text)
{
    struct search_form f;
    size_t start;

    assert_true(search_form_init(&f, regex, strlen(regex)));
    start = search_form_start(&f, text, strlen(text));
    search_form_done(&f);
    return start;
}

static void suffixes_are_compared_at_the_end(void **state)
{
    (void)state;
    assert_int_equal(start_of(".*conv_\\d+", "tower/conv_123"), 5);
    assert_int_equal(start_of(".*conv_\\d+", "conv_123"), 0);
    assert_int_equal(start_of(".*conv_\\d+", "123"), 0);
    assert_int_equal(start_of(".*conv_\\d+", ""), 0);
    assert_int_equal(start_of(".*conv_\\d", "tower/conv_123"), 8);
    assert_int_equal(start_of(".*conv_.*", "tower/conv_123"), 0);
}

/* 'y' or 'n': whether TEXT ends as REGEX requires; '-': undecided without the engine. */
static char end_of(const char *regex, const char *text)
{
    struct search_form f;
    char answer = '-';

    assert_true(search_form_init(&f, regex, strlen(regex)));
    if (f.is_tail)
        answer = search_form_ends(&f, text, strlen(text)) ? 'y' : 'n';
    search_form_done(&f);
    return answer;
}

static void suffixes_of_bytes_and_digits_need_no_engine(void **state)
{
    (void)state;
    assert_int_equal(end_of(".*conv_\\d+", "tower/conv_123"), 'y');
    assert_int_equal(end_of(".*conv_\\d+", "conv_1"), 'y');
    assert_int_equal(end_of(".*conv_\\d+", "conv_"), 'n');
    assert_int_equal(end_of(".*conv_\\d+", "1"), 'n');
    assert_int_equal(end_of(".*conv_\\d+", ""), 'n');
    assert_int_equal(end_of(".*conv_\\d", "tower/conv_12"), 'n');
    assert_int_equal(end_of(".*conv_\\d", "tower/conv_1"), 'y');
    assert_int_equal(end_of(".*conv_[0-3]+", "conv_123"), 'y');
    assert_int_equal(end_of(".*conv_[0-3]+", "conv_423"), 'n');
    assert_int_equal(end_of(".*conv_[13-5]", "conv_2"), 'n');
    assert_int_equal(end_of(".*conv_[13-5]", "conv_4"), 'y');
    assert_int_equal(end_of(".*\\d+", "12"), 'y');
    assert_int_equal(end_of(".*v1[2-4]+", "v133"), 'y'); /* 1 is not in [2-4] */
    assert_int_equal(end_of(".*v1\\d+", "v11"), '-');
    assert_int_equal(end_of(".*v1\\d", "v11"), 'y');
    assert_int_equal(end_of(".*conv_\\d*", "conv_"), '-');
    assert_int_equal(end_of(".*conv_\\d+?", "conv_1"), '-');
    assert_int_equal(end_of(".*conv_[0-]", "conv_0"), '-');
    assert_int_equal(end_of(".*conv.\\d", "conv_0"), '-');
    assert_int_equal(end_of(".*a\\d|.*b\\d", "a0"), '-');
    assert_int_equal(end_of("(?i).*a\\d", "A0"), '-');
    assert_int_equal(end_of(".*a\\d.*", "a0"), '-');
    assert_int_equal(end_of("a\\d.*", "a0"), '-');
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_form_is_the_middle_of_the_regex),
        cmocka_unit_test(suffixes_are_compared_at_the_end),
        cmocka_unit_test(suffixes_of_bytes_and_digits_need_no_engine),
    };

    return cmocka_run_group_tests_name("search_form", tests, NULL, NULL);
}
