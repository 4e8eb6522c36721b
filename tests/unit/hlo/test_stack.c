/* test_stack.c: call stacks of instructions. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
/* clang-format off */
#include <cmocka.h>
/* clang-format on */

#include "fixtures/hlo_text.h"
#include "hlo/names.h"

static struct hlo_module *read_with(struct strbuf *bytes, const char *metadata, const char *frames)
{
    struct strbuf text = {0};
    struct err err = {0};
    struct hlo_module *m;

    sb_addf(&text, "HloModule m\n ENTRY e { ROOT a = f32[8] parameter(0), metadata={%s} }\n%s",
            metadata, frames);
    hlo_text_proto(bytes, sb_text(&text));
    m = hlo_module_new(sb_text(bytes), bytes->len, &err);
    assert_non_null(m);
    sb_done(&text);
    return m;
}

static void check_place(const struct hlo_source_location *place, const char *file, const char *function,
                        int32_t line, int32_t column)
{
    assert_int_equal(place->file.len, strlen(file));
    assert_memory_equal(place->file.bytes, file, place->file.len);
    assert_int_equal(place->function.len, strlen(function));
    assert_memory_equal(place->function.bytes, function, place->function.len);
    assert_int_equal(place->line, line);
    assert_int_equal(place->column, column);
}

static void stacks_begin_with_the_outermost_caller(void **state)
{
    struct strbuf bytes = {0};
    struct hlo_module *m =
        read_with(&bytes, "stack_frame_id=3 source_file=\"b.py\" source_line=20",
                  "file \"a.py\" file \"b.py\" function \"main\" function \"loss\"\n"
                  "location 1 1 10 3 location 2 2 20 5 location 2 2 21 0\n"
                  "frame 1 0 frame 2 1 frame 3 2 frame 9 0\n");
    const struct hlo_metadata metadata = hlo_metadata(m, 0);
    struct hlo_source_location places[3];

    (void)state;
    assert_int_equal(m->n_frames, 5);
    assert_int_equal(hlo_stack_depth(m, &metadata), 3);
    hlo_stack(m, &metadata, places);
    check_place(&places[0], "a.py", "main", 10, 3);
    check_place(&places[1], "b.py", "loss", 20, 5);
    check_place(&places[2], "b.py", "loss", 21, 0);
    /* A location that does not exist. */
    assert_int_equal(m->frames[4].file.len, 0);
    assert_int_equal(m->frames[4].depth, 1);
    hlo_module_free(m);
    sb_done(&bytes);
}

static void a_source_line_is_a_stack(void **state)
{
    struct strbuf bytes = {0};
    struct hlo_module *m = read_with(&bytes, "source_file=\"b.py\" source_line=20", "");
    struct hlo_metadata metadata = hlo_metadata(m, 0);
    struct hlo_source_location place;

    (void)state;
    assert_int_equal(hlo_stack_depth(m, &metadata), 1);
    hlo_stack(m, &metadata, &place);
    check_place(&place, "b.py", "", 20, 0);
    hlo_module_free(m);
    sb_clear(&bytes);
    m = read_with(&bytes, "op_name=\"x\" stack_frame_id=4", "frame 1 0\n");
    metadata = hlo_metadata(m, 0);
    assert_int_equal(hlo_stack_depth(m, &metadata), 0);
    hlo_module_free(m);
    sb_done(&bytes);
}

/* Frames 1 and 2 call each other, 3 calls itself, 4 leads into the cycle, 5 has an invalid
 * parent. */
static void cycles_are_cut(void **state)
{
    struct strbuf bytes = {0};
    struct hlo_module *m = read_with(
        &bytes, "stack_frame_id=4", "frame 1 2 frame 1 1 frame 1 3 frame 1 2 frame 1 77\n");
    const struct hlo_metadata metadata = hlo_metadata(m, 0);
    struct hlo_source_location places[5];

    (void)state;
    for (uint32_t first = 1; first < m->n_frames; first++) {
        uint32_t n = 0;

        for (uint32_t at = first; at; at = m->frames[at].parent)
            assert_true(++n <= 5);
        assert_int_equal(m->frames[first].depth, n);
    }
    assert_true(hlo_stack_depth(m, &metadata) <= 3);
    hlo_stack(m, &metadata, places);
    hlo_module_free(m);
    sb_done(&bytes);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(stacks_begin_with_the_outermost_caller),
        cmocka_unit_test(a_source_line_is_a_stack),
        cmocka_unit_test(cycles_are_cut),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
