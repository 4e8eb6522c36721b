/* test_words.c: splitting lines into words and quoting words. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/utf8.h"
#include "fixtures/random_options.h"
#include "session/words.h"

/* Fails unless the words of LINE are the following arguments, up to NULL. */
static void expect_words(const char *line, ...)
{
    struct words w;
    struct err err = {0};
    va_list args;
    const char *want;
    size_t i = 0;

    if (!words_split(line, &w, &err))
        fail_msg("%s: %s", line, err_text(&err));
    va_start(args, line);
    while ((want = va_arg(args, const char *))) {
        assert_true(i < w.n);
        assert_string_equal(w.items[i++], want);
    }
    va_end(args);
    assert_int_equal(i, w.n);
    words_done(&w);
}

static void blanks_and_quotes_split_as_in_a_shell(void **state)
{
    (void)state;
    expect_words("", (char *)NULL);
    expect_words(" scope\t-max_depth  4\r\n", "scope", "-max_depth", "4", (char *)NULL);
    expect_words("a'b c'd \"e 'f'\" ''", "ab cd", "e 'f'", "", (char *)NULL);
    expect_words("\"a\\\"b\\d\" '\\d'", "a\"b\\d", "\\d", (char *)NULL);
    expect_words("$'a\\n\\x41\\'\\\\'", "a\nA'\\", (char *)NULL);
}

static void backslashes_of_a_regex_are_unchanged(void **state)
{
    (void)state;
    expect_words(".*\\d+\\.x a{1\\,2}", ".*\\d+\\.x", "a{1\\,2}", (char *)NULL);
    expect_words("a\\ b \\'x \\#y", "a b", "'x", "#y", (char *)NULL);
    expect_words("end\\", "end\\", (char *)NULL);
}

static void a_hash_begins_a_comment_only_at_a_word(void **state)
{
    (void)state;
    expect_words("# all of it 'open", (char *)NULL);
    expect_words("scope # the rest", "scope", (char *)NULL);
    expect_words("a#b '#c'", "a#b", "#c", (char *)NULL);
}

static void an_open_quote_is_an_error(void **state)
{
    static const char *const lines[] = {"a 'b", "\"", "x$'\\'", "'a\\'b'"};

    (void)state;
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
        struct words w;
        struct err err = {0};

        assert_false(words_split(lines[i], &w, &err));
        assert_int_equal(err.kind, ERR_USAGE);
        err_done(&err);
    }
}

static void quoted_words_are_parsed_unchanged(void **state)
{
    uint64_t seed = 7;

    (void)state;
    for (int round = 0; round < 2000; round++) {
        struct strbuf text = {0}, line = {0};
        struct words w;
        struct err err = {0};

        random_path(&text, &seed);
        if (round == 0)
            sb_clear(&text);
        words_quote(&line, sb_text(&text));
        assert_true(utf8_is_plain(sb_text(&line), line.len));
        assert_true(words_split(sb_text(&line), &w, &err));
        assert_int_equal(w.n, 1);
        assert_string_equal(w.items[0], sb_text(&text));
        words_done(&w);
        sb_done(&text);
        sb_done(&line);
    }
}

/* A shell reads the quoted words back unchanged. */
static void a_shell_reads_quoted_words_unchanged(void **state)
{
    static const char hard[] = "a b'c\"d$e\\f`g;h&i(j)k<l>*?[m]{n}~!#";
    struct strbuf command = {0};
    char got[128];
    size_t n;
    FILE *pipe;

    (void)state;
    sb_adds(&command, "printf %s ");
    words_quote(&command, hard);
    pipe = popen(sb_text(&command), "r");
    assert_non_null(pipe);
    n = fread(got, 1, sizeof got - 1, pipe);
    got[n] = '\0';
    assert_int_equal(pclose(pipe), 0);
    assert_string_equal(got, hard);
    sb_done(&command);
}

static void the_last_word_is_found_even_in_open_quotes(void **state)
{
    struct strbuf word = {0};

    (void)state;
    assert_int_equal(words_last("scope -sel", 10, &word), 6);
    assert_string_equal(sb_text(&word), "-sel");
    assert_int_equal(words_last("scope ", 6, &word), 6);
    assert_string_equal(sb_text(&word), "");
    assert_int_equal(words_last("a 'b c", 6, &word), 2);
    assert_string_equal(sb_text(&word), "b c");
    sb_done(&word);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(blanks_and_quotes_split_as_in_a_shell),
        cmocka_unit_test(backslashes_of_a_regex_are_unchanged),
        cmocka_unit_test(a_hash_begins_a_comment_only_at_a_word),
        cmocka_unit_test(an_open_quote_is_an_error),
        cmocka_unit_test(quoted_words_are_parsed_unchanged),
        cmocka_unit_test(a_shell_reads_quoted_words_unchanged),
        cmocka_unit_test(the_last_word_is_found_even_in_open_quotes),
    };

    return cmocka_run_group_tests_name("words", tests, NULL, NULL);
}
