/* test_command_line.c: arguments of the program, prompt lines, and their printed forms. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdlib.h>
#include <string.h>

#include "fixtures/random_options.h"
#include "session/session.h"

static struct command_line parsed(const char *line, enum command_origin place)
{
    struct command_line cl;
    struct err err = {0};

    if (!command_line_parse_text(&cl, line, place, NULL, &err))
        fail_msg("%s: %s", line, err_text(&err));
    return cl;
}

static void refuse(const char *line, enum command_origin place, const char *text)
{
    struct command_line cl;
    struct err err = {0};

    if (command_line_parse_text(&cl, line, place, NULL, &err))
        fail_msg("%s: was taken", line);
    assert_int_equal(err.kind, ERR_USAGE);
    if (!strstr(err_text(&err), text))
        fail_msg("%s: '%s' lacks '%s'", line, err_text(&err), text);
    err_done(&err);
}

static void four_spellings_are_one(void **state)
{
    static const char *const lines[] = {"scope -max_depth 4", "scope -max_depth=4",
                                        "scope --max_depth 4", "--max_depth=4 scope"};

    (void)state;
    for (size_t i = 0; i < 4; i++) {
        struct command_line cl = parsed(lines[i], AT_PROGRAM);

        assert_string_equal(cl.command->name, "scope");
        assert_int_equal(cl.options.max_depth, 4);
        command_line_done(&cl);
    }
}

static void a_boolean_alone_is_true(void **state)
{
    static const char *const lines[] = {
        "scope -account_displayed_op_only", "scope -account_displayed_op_only -max_depth 4",
        "scope -account_displayed_op_only yes", "scope -account_displayed_op_only=T ./file",
        "scope -account_displayed_op_only -"};

    (void)state;
    for (size_t i = 0; i < 5; i++) {
        struct command_line cl = parsed(lines[i], AT_PROGRAM);

        assert_true(cl.options.account_displayed_op_only);
        command_line_done(&cl);
    }
    refuse("scope -account_displayed_op_only maybe", AT_PROGRAM, "neither true nor false");
}

static void a_value_may_begin_with_a_dash(void **state)
{
    struct command_line cl = parsed("scope -step -1 -min_bytes=-5 -show_name_regexes -x",
                                    AT_PROGRAM);

    (void)state;
    assert_int_equal(cl.options.step, -1);
    assert_int_equal(cl.options.min[METRIC_BYTES], -5);
    assert_string_equal(cl.options.show_name_regexes, "-x");
    command_line_done(&cl);
}

static void files_switches_and_topics_are_recognised(void **state)
{
    struct command_line cl = parsed("-q a.pb - -max_depth 3 -- -b scope --x", AT_PROGRAM);

    (void)state;
    assert_null(cl.command);
    assert_true(cl.quiet);
    assert_int_equal(cl.files.n, 5);
    assert_string_equal(cl.files.items[1], "-");
    assert_string_equal(cl.files.items[3], "scope");
    assert_string_equal(cl.files.items[4], "--x");
    command_line_done(&cl);
    cl = parsed("op ./scope", AT_PROGRAM);
    assert_int_equal(cl.command->view, VIEW_OP);
    assert_string_equal(cl.files.items[0], "./scope");
    command_line_done(&cl);
    cl = parsed("help max_depth", AT_PROGRAM);
    assert_string_equal(cl.help_topic, "max_depth");
    command_line_done(&cl);
    cl = parsed("--version", AT_PROGRAM);
    assert_int_equal(cl.command->kind, COMMAND_VERSION);
    command_line_done(&cl);
}

static void options_override_a_preset(void **state)
{
    struct command_line cl = parsed("op -max_depth 5 -preset time_and_memory -order_by name",
                                    AT_PROGRAM);

    (void)state;
    assert_int_equal(cl.options.max_depth, 5);
    assert_true(option_was_given(&cl.given, "max_depth"));
    assert_true(option_was_given(&cl.given, "order_by"));
    assert_true(option_was_given(&cl.given, "min_micros")); /* given by the preset */
    assert_false(option_was_given(&cl.given, "min_params"));
    assert_int_equal(cl.options.order_by, ORDER_NAME);
    assert_int_equal(cl.options.min[METRIC_MICROS], 1);
    command_line_done(&cl);
}

static void mistakes_are_named(void **state)
{
    (void)state;
    refuse("scope -max_dept 3", AT_PROGRAM, "unknown option -max_dept: did you mean -max_depth?");
    refuse("scope --no_config", AT_PROGRAM, "did you mean -no-config?");
    refuse("scopes", AT_PROGRAM, "unknown command or file scopes: did you mean scope?");
    refuse("scope -max_depth", AT_PROGRAM, "-max_depth: a value is missing");
    refuse("scope -min_on mine", AT_PROGRAM, "unknown value 'mine'");
    refuse("scope -output", AT_PROGRAM, "-output: a value is missing");
    refuse("scope -output file", AT_PROGRAM, "-output file: a file is missing");
    refuse("scope -output file:outfile=", AT_PROGRAM, "a file is missing");
    refuse("scope -output file:name=x", AT_PROGRAM, "'name=x' is not outfile=FILE");
    refuse("scope -output stdout:outfile=x", AT_PROGRAM, "takes no outfile");
    refuse("scope -output fil:outfile=x", AT_PROGRAM, "unknown type 'fil': did you mean file?");
    refuse("scope -preset x", AT_PROGRAM, "unknown preset 'x'");
    refuse("scope -q=maybe", AT_PROGRAM, "neither true nor false");
    refuse("scope 'x", AT_PROGRAM, "missing closing '");
    refuse("scope extra", AT_PROMPT, "unexpected word 'extra'");
    refuse("scope -graph_path x", AT_PROMPT, "inputs are named when the program starts");
    refuse("-max_depth 4", AT_PROMPT, "a command is missing");
    refuse("shell", AT_PROMPT, "unknown command shell");
    refuse("scope -q", AT_PROMPT, "unknown option -q");
}

static void an_output_keeps_equal_signs(void **state)
{
    struct command_line cl = parsed("scope -output file:outfile=a=b", AT_PROGRAM);

    (void)state;
    assert_string_equal(cl.options.output, "file:outfile=a=b");
    command_line_done(&cl);
}

static void options_start_from_those_before(void **state)
{
    struct command_line first = parsed("set -max_depth 4 -select params", AT_PROMPT), second;
    struct err err = {0};

    (void)state;
    assert_true(command_line_parse_text(&second, "scope -order_by params", AT_PROMPT,
                                        &first.options, &err));
    assert_int_equal(second.options.max_depth, 4);
    assert_int_equal(second.options.select, FIELD_BIT(METRIC_PARAMS));
    command_line_done(&first);
    command_line_done(&second);
}

static void pasted_lines_are_accepted(void **state)
{
    struct command_line cl = parsed("tfprof> scope -max_depth 4", AT_PROMPT);
    struct command_line program = parsed("scope --graph_path=g.pb", AT_PROGRAM);
    struct command_line again;
    struct err err = {0};

    (void)state;
    assert_int_equal(cl.options.max_depth, 4);
    assert_true(command_line_parse_text(&again, "tfprof op --graph_path=g.pb -step 2", AT_PROMPT,
                                        &program.options, &err));
    assert_int_equal(again.options.step, 2);
    command_line_done(&again);
    assert_false(command_line_parse_text(&again, "tfprof op --graph_path=other.pb", AT_PROMPT,
                                         &program.options, &err));
    err_done(&err);
    command_line_done(&cl);
    command_line_done(&program);
}

static void the_printed_command_parses_back(void **state)
{
    uint64_t seed = 3;

    (void)state;
    for (int round = 0; round < 300; round++) {
        struct options drawn;
        struct strbuf line = {0};
        struct command_line cl;
        struct err err = {0};

        options_init(&drawn);
        assert_true(random_options(&drawn, &seed, &err));
        session_print_command(&line, NULL, (enum view_id)(round % VIEW_ADVISE), &drawn);
        assert_memory_equal(line.data, "tfprof ", 7);
        assert_null(strchr(line.data, '\n'));
        if (!command_line_parse_text(&cl, line.data + 7, AT_PROGRAM, NULL, &err))
            fail_msg("round %d: %s: %s", round, line.data, err_text(&err));
        assert_int_equal(cl.command->view, round % VIEW_ADVISE);
        for (size_t i = 0; i < option_table_n; i++) {
            const struct option *opt = &option_table[i];
            /* Options without effect in the view are not printed. */
            const bool is_said = !opt->views || opt->views >> cl.command->view & 1u;

            if (is_said ? !option_equal(&drawn, &cl.options, opt)
                        : !option_is_default(&cl.options, opt))
                fail_msg("round %d: -%s: %s", round, opt->name, line.data);
        }
        command_line_done(&cl);
        options_done(&drawn);
        sb_done(&line);
    }
}

static void only_what_differs_is_printed(void **state)
{
    struct session s = {0};
    struct command_line cl = parsed("graph --profile_path=p -max_depth 10 -min_micros 300 "
                                    "-account_displayed_op_only -show_name_regexes 'a b'",
                                    AT_PROGRAM);
    struct strbuf line = {0};

    (void)state;
    words_add(&s.files, "-odd");
    session_print_command(&line, &s, VIEW_GRAPH, &cl.options);
    assert_string_equal(line.data, "tfprof graph ./-odd --profile_path=p -min_micros 300 "
                                   "-show_name_regexes 'a b' -account_displayed_op_only");
    words_done(&s.files);
    sb_done(&line);
    command_line_done(&cl);
}

static void the_original_prompt_gets_supported_options(void **state)
{
    struct command_line cl = parsed("scope -max_depth 4 -show_name_regexes 'a b,c\\,d\\.' "
                                    "-hide_name_regexes 'x{1\\,2}' -trace_text -select ''",
                                    AT_PROGRAM);
    struct strbuf line = {0};
    struct notes notes = {0};

    (void)state;
    session_print_prompt_line(&line, VIEW_SCOPE, &cl.options, &notes);
    assert_string_equal(line.data, "scope -max_depth 4 -show_name_regexes a\\x20b,c\\x2Cd\\.");
    assert_int_equal(notes.n, 3);
    assert_non_null(strstr(notes.data[0].text, "-hide_name_regexes"));
    assert_non_null(strstr(notes.data[1].text, "-select"));
    assert_non_null(strstr(notes.data[2].text, "-trace_text"));
    notes_done(&notes);
    sb_done(&line);
    command_line_done(&cl);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(four_spellings_are_one),
        cmocka_unit_test(a_boolean_alone_is_true),
        cmocka_unit_test(a_value_may_begin_with_a_dash),
        cmocka_unit_test(files_switches_and_topics_are_recognised),
        cmocka_unit_test(options_override_a_preset),
        cmocka_unit_test(mistakes_are_named),
        cmocka_unit_test(an_output_keeps_equal_signs),
        cmocka_unit_test(options_start_from_those_before),
        cmocka_unit_test(pasted_lines_are_accepted),
        cmocka_unit_test(the_printed_command_parses_back),
        cmocka_unit_test(only_what_differs_is_printed),
        cmocka_unit_test(the_original_prompt_gets_supported_options),
    };

    return cmocka_run_group_tests_name("command line", tests, NULL, NULL);
}
