/* test_record_budget.c: selection of the heaviest records that fit, with their ancestors. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#include "export/sinks/answer.h"

/* A tree: 0 is the parent of 1 and 3, 1 of 2. */
static const struct budget_record tree[] = {{100, RECORD_NONE, 0}, {20, 0, 1}, {20, 1, 2}, {70, 0, 1}};

static size_t ten_bytes(void *context, uint32_t i)
{
    (void)context;
    (void)i;
    return 10;
}

/* Checks the selected records as digits, for example "013"; "" expects an error with the minimum
 * size. */
static void expect(uint64_t bytes, uint64_t top, const char *kept)
{
    struct record_budget b = {.records = tree, .n = 4, .length = ten_bytes, .bytes = bytes, .top = top,
                              .whole_bytes = 5, .rest_bytes = 12};
    struct err err = {0};
    char got[8] = "";

    assert_int_equal(budget_choose(&b, &err), *kept != '-');
    for (uint32_t i = 0; i < b.n && *kept != '-'; i++)
        if (b.taken[i])
            strcat(got, (char[]){(char)('0' + i), '\0'});
    if (*kept != '-')
        assert_string_equal(got, kept);
    else
        assert_non_null(strstr(err_text(&err), "needs at least 12 bytes"));
    free(b.taken);
    err_done(&err);
}

static void the_heaviest_records_are_selected(void **state)
{
    (void)state;
    expect(0, 0, "0123");
    expect(45, 0, "0123"); /* all records, so none for the omitted ones */
    expect(44, 0, "013");
    expect(42, 0, "013");
    expect(41, 0, "03");
    expect(22, 0, "0");
    expect(12, 0, "");
}

static void a_budget_may_be_too_small(void **state)
{
    (void)state;
    expect(11, 0, "-");
    expect(1, 0, "-");
}

static void top_counts_what_is_asked_for(void **state)
{
    (void)state;
    expect(0, 1, "0");
    expect(0, 2, "03");
    expect(0, 3, "013");
    expect(32, 3, "03");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_heaviest_records_are_selected),
        cmocka_unit_test(a_budget_may_be_too_small),
        cmocka_unit_test(top_counts_what_is_asked_for),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
