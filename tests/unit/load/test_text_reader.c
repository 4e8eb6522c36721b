/* test_text_reader.c: every lexical and grammar rule of the text format. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "load/text/text_lexer.h"
#include "load/text/text_reader.h"
#include "proto/graph.pb-c.h"
#include "proto/meta_graph.pb-c.h"
#include "proto/run_meta.pb-c.h"

static struct text_source source_of(const char *text, size_t size,
                                    const ProtobufCMessageDescriptor *message)
{
    return (struct text_source){
        .path = "t.pbtxt", .text = (const uint8_t *)text, .size_bytes = size, .message = message};
}

/* Parses TEXT; fails the test on an error. */
static void *parse_n(const char *text, size_t size, const ProtobufCMessageDescriptor *message)
{
    struct text_source source = source_of(text, size, message);
    struct strbuf wire = {0};
    struct err err = {0};
    void *parsed;

    if (!text_to_wire(&source, &wire, &err))
        fail_msg("%s", err_text(&err));
    parsed = protobuf_c_message_unpack(message, NULL, wire.len, (const uint8_t *)sb_text(&wire));
    assert_non_null(parsed);
    sb_done(&wire);
    return parsed;
}

static void assert_error(const char *text, size_t size, const ProtobufCMessageDescriptor *message,
                         const char *wanted)
{
    struct text_source source = source_of(text, size, message);
    struct strbuf wire = {0};
    struct err err = {0};

    assert_false(text_to_wire(&source, &wire, &err));
    assert_int_equal(err.kind, ERR_INPUT);
    assert_string_equal(err_text(&err), wanted);
    err_done(&err);
    sb_done(&wire);
}

static void assert_bytes(ProtobufCBinaryData data, const char *wanted, size_t len)
{
    assert_int_equal(data.len, len);
    assert_memory_equal(data.data, wanted, len);
}

/* Checks that the string literal LITERAL has the LEN bytes WANTED. */
static void check_string(const char *literal, const char *wanted, size_t len)
{
    struct strbuf text = {0};
    Tfp__AttrValue *value;

    sb_addf(&text, "s: %s", literal);
    value = parse_n(sb_text(&text), text.len, &tfp__attr_value__descriptor);
    assert_int_equal(value->value_case, TFP__ATTR_VALUE__VALUE_S);
    assert_bytes(value->s, wanted, len);
    protobuf_c_message_free_unpacked(&value->base, NULL);
    sb_done(&text);
}

static void strings(void **state)
{
    static const struct {
        const char *literal, *wanted;
        size_t len;
    } cases[] = {
        {"\"\"", "", 0},
        {"'a\"b'", "a\"b", 3},
        {"\"a'b\"", "a'b", 3},
        {"'a' \"b\"\n# between\n'c'", "abc", 3},
        {"'a'\"b\"", "ab", 2},
        {"\"\\a\\b\\f\\n\\r\\t\\v\"", "\a\b\f\n\r\t\v", 7},
        {"\"\\\\\\'\\\"\\?\"", "\\'\"?", 4},
        {"'\\\\'", "\\", 1},
        {"\"\\0\\07\\0071\\377\"", "\0\7\0071\377", 5},
        {"\"\\x4\\x41g\\X7a\"", "\x04"
                               "Agz", 4},
        {"\"\\u00e9\\u20ac\"", "\xc3\xa9\xe2\x82\xac", 5},
        {"\"\\ud83d\\ude00\"", "\xf0\x9f\x98\x80", 4},
        {"\"\\U0001f600\"", "\xf0\x9f\x98\x80", 4},
        {"\"# no comment\"", "# no comment", 12},
        {"\"\xff\xfe\"", "\xff\xfe", 2},
        {"\"\\000\\000\\200?\"", "\0\0\200?", 4},
    };

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        check_string(cases[i].literal, cases[i].wanted, cases[i].len);
}

static void bad_strings(void **state)
{
    static const struct {
        const char *text, *wanted;
    } cases[] = {
        {"s: \"a", "t.pbtxt:1:4: a string without its closing quote"},
        {"s: 'a\"", "t.pbtxt:1:4: a string without its closing quote"},
        {"s: \"a\nb\"", "t.pbtxt:1:4: a string without its closing quote"},
        {"s: \"a\\\"", "t.pbtxt:1:4: a string without its closing quote"},
        {"s: \"a\\q\"", "t.pbtxt:1:6: an invalid escape in a string"},
        {"s: \"\\400\"", "t.pbtxt:1:5: an invalid escape in a string"},
        {"s: \"\\xg\"", "t.pbtxt:1:5: an invalid escape in a string"},
        {"s: \"\\u12\"", "t.pbtxt:1:5: an invalid escape in a string"},
        {"s: \"\\ud800\"", "t.pbtxt:1:5: an invalid escape in a string"},
        {"s: \"\\U00110000\"", "t.pbtxt:1:5: an invalid escape in a string"},
        {"s: a", "t.pbtxt:1:4: expected a string for s, found 'a'"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        assert_error(cases[i].text, strlen(cases[i].text), &tfp__attr_value__descriptor,
                     cases[i].wanted);
    assert_error("s: \"a\0b\"", 8, &tfp__attr_value__descriptor,
                 "t.pbtxt:1:6: a NUL byte in a string");
}

static void integers(void **state)
{
    static const struct {
        const char *text;
        int64_t wanted;
    } cases[] = {
        {"i: 0", 0},
        {"i: 10", 10},
        {"i: 010", 8},
        {"i: 0x1F", 31},
        {"i: 0Xff", 255},
        {"i: -7", -7},
        {"i: - # sign\n 7", -7},
        {"i: -0x10", -16},
        {"i: 9223372036854775807", INT64_MAX},
        {"i: -9223372036854775808", INT64_MIN},
        {"i: 0x7fffffffffffffff,", INT64_MAX},
        {"i: 5;", 5},
        {"i:1 i:2", 2},
    };

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        Tfp__AttrValue *value =
            parse_n(cases[i].text, strlen(cases[i].text), &tfp__attr_value__descriptor);

        assert_int_equal(value->value_case, TFP__ATTR_VALUE__VALUE_I);
        assert_true(value->i == cases[i].wanted);
        protobuf_c_message_free_unpacked(&value->base, NULL);
    }
}

static void bad_numbers(void **state)
{
    static const struct {
        const char *text, *wanted;
    } cases[] = {
        {"i: 9223372036854775808", "t.pbtxt:1:4: a number out of range for its field"},
        {"i: -9223372036854775809", "t.pbtxt:1:4: a number out of range for its field"},
        {"i: 99999999999999999999", "t.pbtxt:1:4: a number out of range for its field"},
        {"i: 10bar", "t.pbtxt:1:6: a number runs into a name"},
        {"i: 08", "t.pbtxt:1:4: a number with a leading 0 is octal and has only digits 0 to 7"},
        {"i: 0x", "t.pbtxt:1:4: 0x without hexadecimal digits"},
        {"i: 1.5", "t.pbtxt:1:4: expected a whole number for i, found '1.5'"},
        {"i: true", "t.pbtxt:1:4: expected a whole number for i, found 'true'"},
        {"f: 1e", "t.pbtxt:1:4: an exponent without digits"},
        {"f: one", "t.pbtxt:1:4: expected a number for f, found 'one'"},
        {"f: \"1\"", "t.pbtxt:1:4: expected a number for f, found the string \"1\""},
        {"b: 2", "t.pbtxt:1:4: a number out of range for its field"},
        {"b: yes", "t.pbtxt:1:4: expected true or false for b, found 'yes'"},
        {"b: -true", "t.pbtxt:1:5: expected true or false for b, found 'true'"},
        {"type: 2147483648", "t.pbtxt:1:7: a number out of range for its field"},
        {"i 5", "t.pbtxt:1:3: expected ':' behind i, found '5'"},
        {"i: [1]", "t.pbtxt:1:4: expected a single value for i, found '['"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        assert_error(cases[i].text, strlen(cases[i].text), &tfp__attr_value__descriptor,
                     cases[i].wanted);
}

static void floats(void **state)
{
    static const struct {
        const char *text;
        float wanted;
    } cases[] = {
        {"f: 1.5", 1.5f},
        {"f: .5", .5f},
        {"f: 5.", 5.f},
        {"f: 1e3", 1e3f},
        {"f: 1.5E-3f", 1.5e-3f},
        {"f: 10f", 10.f},
        {"f: 10F", 10.f},
        {"f: -2", -2.f},
        {"f: 0.1", 0.1f},
        {"f: 0.10000000149011612", 0.1f},
        {"f: 3.4028235e+38", 3.4028235e38f},
        {"f: 1e39", INFINITY},
        {"f: inf", INFINITY},
        {"f: -Infinity", -INFINITY},
        {"f: 0x10", 16.f},
        {"f: 010", 8.f},
        {"f: 1.17549435082228750796873653722e-38", 1.17549435e-38f},
    };

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        Tfp__AttrValue *value =
            parse_n(cases[i].text, strlen(cases[i].text), &tfp__attr_value__descriptor);

        assert_int_equal(value->value_case, TFP__ATTR_VALUE__VALUE_F);
        assert_true(value->f == cases[i].wanted);
        protobuf_c_message_free_unpacked(&value->base, NULL);
    }
}

static void not_a_number(void **state)
{
    Tfp__AttrValue *value = parse_n("f: NaN", 6, &tfp__attr_value__descriptor);

    (void)state;
    assert_true(isnan(value->f));
    protobuf_c_message_free_unpacked(&value->base, NULL);
}

static void truth(void **state)
{
    static const struct {
        const char *text;
        bool wanted;
    } cases[] = {{"b: true", true},   {"b: True", true},   {"b: t", true}, {"b: 1", true},
                 {"b: 0x1", true},    {"b: false", false}, {"b: f", false}, {"b: False", false},
                 {"b: 00", false}};

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        Tfp__AttrValue *value =
            parse_n(cases[i].text, strlen(cases[i].text), &tfp__attr_value__descriptor);

        assert_int_equal(value->value_case, TFP__ATTR_VALUE__VALUE_B);
        assert_int_equal(value->b, cases[i].wanted);
        protobuf_c_message_free_unpacked(&value->base, NULL);
    }
}

static void enums(void **state)
{
    static const char text[] = "type: [DT_FLOAT, 9, -1, DT_STRING] type: DT_BOOL";
    static const int wanted[] = {1, 9, -1, 7, 10};
    Tfp__AttrValue__ListValue *list =
        parse_n(text, sizeof text - 1, &tfp__attr_value__list_value__descriptor);

    (void)state;
    assert_int_equal(list->n_type, 5);
    for (size_t i = 0; i < 5; i++)
        assert_int_equal((int)list->type[i], wanted[i]);
    protobuf_c_message_free_unpacked(&list->base, NULL);
}

static void unknown_enum_is_dropped_with_a_note(void **state)
{
    static const char text[] = "type: DT_FLOAT\ntype: DT_NEW type: DT_NEWER";
    struct text_source source =
        source_of(text, sizeof text - 1, &tfp__attr_value__list_value__descriptor);
    struct strbuf wire = {0};
    struct notes notes = {0};
    struct err err = {0};

    (void)state;
    source.notes = &notes;
    assert_true(text_to_wire(&source, &wire, &err));
    assert_int_equal(wire.len, 3);
    assert_memory_equal(wire.data, "\x32\x01\x01", 3);
    assert_int_equal(notes.n, 1);
    assert_string_equal(notes.data[0].text,
                        "t.pbtxt:2:7: the value 'DT_NEW' is unknown and was left out (2 such in all)");
    notes_done(&notes);
    sb_done(&wire);
}

static void lists_and_singles_keep_their_order(void **state)
{
    static const char text[] = "i: 1 i: [2, -3] s: 'x' i: [] i: 4, s: ['y' 'z', \"\"] "
                               "shape: [{ dim { size: 2 } }, < unknown_rank: true >] shape {}";
    Tfp__AttrValue__ListValue *list =
        parse_n(text, sizeof text - 1, &tfp__attr_value__list_value__descriptor);
    static const int64_t wanted[] = {1, 2, -3, 4};

    (void)state;
    assert_int_equal(list->n_i, 4);
    assert_memory_equal(list->i, wanted, sizeof wanted);
    assert_int_equal(list->n_s, 3);
    assert_bytes(list->s[1], "yz", 2);
    assert_int_equal(list->s[2].len, 0);
    assert_int_equal(list->n_shape, 3);
    assert_true(list->shape[0]->dim[0]->size == 2);
    assert_true(list->shape[1]->unknown_rank);
    assert_int_equal(list->shape[2]->n_dim, 0);
    protobuf_c_message_free_unpacked(&list->base, NULL);
}

static void messages(void **state)
{
    static const char text[] = "\xef\xbb\xbf# a graph\r\n"
                               "node: < name: 'a' op: \"X\" input: ['b', '^c'];\r\n"
                               "  attr [{ value { i: 0 } key: 'k' }, { key: 'm' }] >\r\n"
                               "node {}, versions { producer: 27 } # end";
    Tfp__GraphDef *graph = parse_n(text, sizeof text - 1, &tfp__graph_def__descriptor);

    (void)state;
    assert_int_equal(graph->n_node, 2);
    assert_bytes(graph->node[0]->name, "a", 1);
    assert_int_equal(graph->node[0]->n_input, 2);
    assert_bytes(graph->node[0]->input[1], "^c", 2);
    assert_int_equal(graph->node[0]->n_attr, 2);
    assert_bytes(graph->node[0]->attr[0]->key, "k", 1);
    assert_int_equal(graph->node[0]->attr[0]->value->value_case, TFP__ATTR_VALUE__VALUE_I);
    assert_null(graph->node[0]->attr[1]->value);
    assert_int_equal(graph->versions->producer, 27);
    protobuf_c_message_free_unpacked(&graph->base, NULL);
}

static void unknown_fields_are_skipped(void **state)
{
    static const char text[] =
        "new: 1 new: -1.5 new: 'a' \"b\" new: IDENT new: [] new: [1, -x, 'y'] "
        "new { deep: < 5: 0x2a 6 { } list: [ {a: 1}, < > ] > } 123: \"x\" 7 { a: 1 } "
        "[ext.name]: 5 [type.googleapis.com/a.B] { name: 'in any' } [ext.list]: [1, 2]; "
        "name: 'n'";
    Tfp__NodeDef *node = parse_n(text, sizeof text - 1, &tfp__node_def__descriptor);

    (void)state;
    assert_bytes(node->name, "n", 1);
    protobuf_c_message_free_unpacked(&node->base, NULL);
}

static void names_of_older_schemas(void **state)
{
    static const char text[] = "host_temp_memory_size: 3 device_temp_memory_size: 4 "
                               "host_persistent_memory_size: 5";
    Tfp__MemoryStats *stats = parse_n(text, sizeof text - 1, &tfp__memory_stats__descriptor);

    (void)state;
    assert_int_equal(stats->temp_memory_size, 3);
    assert_int_equal(stats->device_temp_memory_size, 4);
    assert_int_equal(stats->persistent_memory_size, 5);
    protobuf_c_message_free_unpacked(&stats->base, NULL);
}

static void grammar_errors(void **state)
{
    static const struct {
        const char *text, *wanted;
    } cases[] = {
        {"node {\n  name: 'a'\n  ndoe\n}", "t.pbtxt:3:3: expected '}' to close node, found 'ndoe'"},
        {"node {", "t.pbtxt:1:7: expected '}' to close node, found the end of the file"},
        {"node < }", "t.pbtxt:1:8: expected '>' to close node, found '}'"},
        {"node { name: 'a' } }", "t.pbtxt:1:20: expected a field name, found '}'"},
        {"node: 5", "t.pbtxt:1:7: expected '{' to open node, found '5'"},
        {"node [ {}, ]", "t.pbtxt:1:12: expected '{' in a list of messages, found ']'"},
        {"node { input: ['a' }", "t.pbtxt:1:20: expected ',' or ']' in a list, found '}'"},
        {"node { input: ['a',] }", "t.pbtxt:1:20: expected a string for input, found ']'"},
        {", node {}", "t.pbtxt:1:1: expected a field name, found ','"},
        {"odd: }", "t.pbtxt:1:6: expected a value, found '}'"},
        {"[a b", "t.pbtxt:1:5: expected ']' after the name of an extension, found the end of the file"},
        {"node { name: 'a' \x01 }", "t.pbtxt:1:18: a control character: this is not a text file"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        assert_error(cases[i].text, strlen(cases[i].text), &tfp__graph_def__descriptor,
                     cases[i].wanted);
    assert_error("node {\0", 7, &tfp__graph_def__descriptor,
                 "t.pbtxt:1:7: a NUL byte: this is not a text file");
}

/* N repetitions of "attr { value { list { func { " make 4 N levels. */
static void nested(struct strbuf *text, unsigned levels)
{
    for (unsigned i = 0; i < levels; i++)
        sb_adds(text, "unknown {");
    sb_pad(text, '}', levels);
}

static void depth_is_limited(void **state)
{
    struct strbuf text = {0};
    Tfp__NodeDef *node;

    (void)state;
    nested(&text, TEXT_MAX_DEPTH);
    node = parse_n(sb_text(&text), text.len, &tfp__node_def__descriptor);
    protobuf_c_message_free_unpacked(&node->base, NULL);
    sb_clear(&text);
    nested(&text, 100000);
    assert_error(sb_text(&text), text.len, &tfp__node_def__descriptor,
                 "t.pbtxt:1:909: messages more than 100 levels deep");
    sb_done(&text);
}

static void the_debug_line_is_skipped(void **state)
{
    static const char text[] = "goo.gle/debugstr\nname: 'n'";
    Tfp__NodeDef *node = parse_n(text, sizeof text - 1, &tfp__node_def__descriptor);

    (void)state;
    assert_bytes(node->name, "n", 1);
    protobuf_c_message_free_unpacked(&node->base, NULL);
}

/* Long nested messages: lengths of one to four bytes are filled in afterwards. */
static void lengths_of_any_size(void **state)
{
    static const size_t sizes[] = {0, 1, 120, 127, 128, 16370, 16384, 3000000};

    (void)state;
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        struct strbuf text = {0};
        Tfp__GraphDef *graph;

        sb_adds(&text, "node { attr { key: 'k' value { tensor { tensor_content: \"");
        sb_pad(&text, 'x', sizes[i]);
        sb_adds(&text, "\" float_val: 1 float_val: [2, 3] } } } }");
        graph = parse_n(sb_text(&text), text.len, &tfp__graph_def__descriptor);
        assert_int_equal(graph->node[0]->attr[0]->value->tensor->tensor_content.len, sizes[i]);
        assert_int_equal(graph->node[0]->attr[0]->value->tensor->n_float_val, 3);
        protobuf_c_message_free_unpacked(&graph->base, NULL);
        sb_done(&text);
    }
}

/* ---- element by element */

struct seen {
    struct strbuf log;
    const char *text;
};

static bool log_element(void *context, const struct text_element *e, struct err *err)
{
    static const char *const events[] = {"element", "enter", "leave"};
    struct seen *seen = context;

    (void)err;
    sb_addf(&seen->log, "%s %s.%s", events[e->event], e->parent->short_name, e->field->name);
    if (e->event == TEXT_ELEMENT)
        sb_addf(&seen->log, " %zu [%.*s]", e->wire_len, (int)e->len_bytes,
                seen->text + e->offset);
    sb_addc(&seen->log, '\n');
    return true;
}

static void containers_are_entered(void **state)
{
    static const ProtobufCMessageDescriptor *const containers[] = {&tfp__graph_def__descriptor,
                                                                   NULL};
    static const char text[] = "meta_info_def { tags: 'serve' }\n"
                               "graph_def { node { name: \"a\" } node {op: 'X'} version: 300 }";
    struct seen seen = {.text = text};
    struct text_source source =
        source_of(text, sizeof text - 1, &tfp__meta_graph_def__descriptor);
    struct err err = {0};

    (void)state;
    source.containers = containers;
    assert_true(text_read(&source, log_element, &seen, &err));
    assert_string_equal(sb_text(&seen.log), "element MetaGraphDef.meta_info_def 7 [ tags: 'serve' ]\n"
                                            "enter MetaGraphDef.graph_def\n"
                                            "element GraphDef.node 3 [ name: \"a\" ]\n"
                                            "element GraphDef.node 3 [op: 'X']\n"
                                            "element GraphDef.version 2 [300 ]\n"
                                            "leave MetaGraphDef.graph_def\n");
    sb_done(&seen.log);
}

static void skipped_fields_are_not_decoded(void **state)
{
    static const char text[] = "dtype: DT_FLOAT tensor_content: \"\\q is no escape\" 'x' version_number: 1";
    const ProtobufCFieldDescriptor *const skipped[] = {
        text_find_field(&tfp__tensor_proto__descriptor, "tensor_content", 14), NULL};
    struct text_source source = source_of(text, sizeof text - 1, &tfp__tensor_proto__descriptor);
    struct strbuf wire = {0};
    struct err err = {0};

    (void)state;
    assert_non_null(skipped[0]);
    source.skipped = skipped;
    assert_true(text_to_wire(&source, &wire, &err));
    assert_int_equal(wire.len, 4);
    assert_memory_equal(wire.data, "\x08\x01\x18\x01", 4);
    sb_done(&wire);
}

static bool stop(void *context, const struct text_element *e, struct err *err)
{
    (void)e;
    ++*(int *)context;
    return err_set(err, ERR_INPUT, "enough");
}

static void handler_and_cancel_stop(void **state)
{
    static const char text[] = "node {} node {}";
    struct text_source source = source_of(text, sizeof text - 1, &tfp__graph_def__descriptor);
    struct cancel token = {0};
    struct err err = {0};
    int calls = 0;

    (void)state;
    assert_false(text_read(&source, stop, &calls, &err));
    assert_int_equal(calls, 1);
    assert_string_equal(err_text(&err), "enough");
    source.cancel = cancel_mark_now(&token);
    cancel_ask(&token);
    assert_false(text_read(&source, stop, &calls, &err));
    assert_int_equal(calls, 1);
    assert_int_equal(err.kind, ERR_CANCELLED);
    err_done(&err);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(strings),
        cmocka_unit_test(bad_strings),
        cmocka_unit_test(integers),
        cmocka_unit_test(bad_numbers),
        cmocka_unit_test(floats),
        cmocka_unit_test(not_a_number),
        cmocka_unit_test(truth),
        cmocka_unit_test(enums),
        cmocka_unit_test(unknown_enum_is_dropped_with_a_note),
        cmocka_unit_test(lists_and_singles_keep_their_order),
        cmocka_unit_test(messages),
        cmocka_unit_test(unknown_fields_are_skipped),
        cmocka_unit_test(names_of_older_schemas),
        cmocka_unit_test(grammar_errors),
        cmocka_unit_test(depth_is_limited),
        cmocka_unit_test(the_debug_line_is_skipped),
        cmocka_unit_test(lengths_of_any_size),
        cmocka_unit_test(containers_are_entered),
        cmocka_unit_test(skipped_fields_are_not_decoded),
        cmocka_unit_test(handler_and_cancel_stop),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
