/* test_pickle.c: values, aliases and limits of the pickle reader. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <string.h>

#include "base/strbuf.h"
#include "load/snapshot/pickle.h"

static const char *const keys[] = {"a", "b"};
enum { KEY_A, KEY_B };

/* Reads the LEN bytes of TEXT. */
static enum pickle_end read_text(struct pickle *p, const char *text, size_t len)
{
    pickle_init(p, (const uint8_t *)text, len, keys, 2);
    return pickle_read(p);
}

#define READ(p, text) read_text((p), (text), sizeof(text) - 1)

static pickle_value field(struct pickle *p, pickle_value dict, uint32_t key)
{
    pickle_open_dict(p, dict);
    return pickle_field(p, key);
}

static void test_numbers(void **state)
{
    struct pickle p;
    const pickle_value *values;
    int64_t size, time;
    uint64_t address;
    uint32_t n;

    (void)state;
    assert_int_equal(READ(&p, "\x80\x02](K\x07J\xff\xff\xff\xff"
                              "\x8a\x08\x00\x00\x00\x00\x00\x00\x00\x80"
                              "\x8a\x09\x00\x00\x00\x00\x00\x00\x00\x80\x00"
                              "\x8a\x09\x00\x00\x00\x00\x00\x00\x00\x00\x01\x88\x89"
                              "e."),
                     PICKLE_STOPPED);
    values = pickle_elements(&p, p.value, &n);
    assert_int_equal(n, 7);
    assert_true(pickle_size(&p, values[0], &size) && size == 7);
    assert_false(pickle_size(&p, values[1], &size));
    assert_true(pickle_time(&p, values[1], &time) && time == -1);
    assert_true(pickle_address(&p, values[1], &address) && address == UINT64_MAX);
    assert_true(pickle_time(&p, values[2], &time) && time == INT64_MIN);
    assert_false(pickle_time(&p, values[3], &time)); /* 2^63 */
    assert_true(pickle_address(&p, values[3], &address) && address == UINT64_C(1) << 63);
    assert_false(pickle_address(&p, values[4], &address)); /* 2^64 */
    assert_false(pickle_size(&p, values[5], &size));       /* True */
    assert_true(values[5] == PICKLE_TRUE);
    assert_true(pickle_kind(values[6]) == PICKLE_BOOL && values[6] != PICKLE_TRUE);
    pickle_done(&p);
}

static void test_aliases(void **state)
{
    struct pickle p;
    const pickle_value *values;
    uint32_t n;

    (void)state;
    /* [d, d] with d = {a: 1}; later b: 2 is added, and a is set again. */
    assert_int_equal(READ(&p, "\x80\x02]q\x00(}q\x01(\x8c\x01"
                              "aK\x01uh\x01"
                              "e0h\x01\x8c\x01"
                              "bK\x02s\x8c\x01"
                              "aK\x03s0h\x00."),
                     PICKLE_STOPPED);
    values = pickle_elements(&p, p.value, &n);
    assert_int_equal(n, 2);
    assert_true(values[0] == values[1]);
    assert_int_equal(pickle_index(field(&p, values[0], KEY_A)), 3);
    assert_int_equal(pickle_index(field(&p, values[0], KEY_B)), 2);
    pickle_done(&p);
}

static void test_far_memo(void **state)
{
    struct pickle p;

    (void)state;
    assert_int_equal(READ(&p, "\x80\x02K\x05r\xff\xff\xff\xff"
                              "0K\x06\x94"
                              "0j\xff\xff\xff\xff."),
                     PICKLE_STOPPED);
    assert_int_equal(pickle_index(p.value), 5);
    pickle_done(&p);
    assert_int_equal(READ(&p, "\x80\x02K\x05h\x00."), PICKLE_DAMAGED);
    assert_int_equal(p.end_offset, 4);
    pickle_done(&p);
}

static void test_damage(void **state)
{
    struct pickle p;
    uint32_t n;

    (void)state;
    /* {a: [1, 2  is truncated. */
    assert_int_equal(READ(&p, "\x80\x02}(\x8c\x01"
                              "a](K\x01K\x02"),
                     PICKLE_DAMAGED);
    assert_true(pickle_is_incomplete(&p, p.value));
    pickle_elements(&p, field(&p, p.value, KEY_A), &n);
    assert_int_equal(n, 2);
    assert_true(pickle_is_open(&p, field(&p, p.value, KEY_A)));
    pickle_done(&p);
    assert_int_equal(READ(&p, "\x80\x02K\x01u."), PICKLE_DAMAGED);
    pickle_done(&p);
    assert_int_equal(READ(&p, "\x80\x02X\xff\xff\xff\x7f"), PICKLE_DAMAGED);
    pickle_done(&p);
}

static void test_refused(void **state)
{
    struct pickle p;

    (void)state;
    assert_int_equal(READ(&p, "\x80\x04\x8c\x02os\x8c\x06system\x93."), PICKLE_REFUSED);
    assert_string_equal(p.opcode, "STACK_GLOBAL");
    assert_int_equal(p.end_offset, 14);
    pickle_done(&p);
}

/* A dict with many keys, reopened repeatedly, keeps only the requested keys. */
static void test_many_keys(void **state)
{
    struct strbuf sb = {0};
    struct pickle p;

    (void)state;
    sb_add(&sb, "\x80\x02}(", 4);
    for (int i = 0; i < 1000; i++) {
        sb_add(&sb, "\x8c\x04", 2);
        sb_addf(&sb, "k%03d", i);
        sb_add(&sb, "N", 1);
    }
    sb_add(&sb, "\x8c\x01" "bK\x09u.", 7);
    assert_int_equal(read_text(&p, sb.data, sb.len), PICKLE_STOPPED);
    assert_int_equal(pickle_index(field(&p, p.value, KEY_B)), 9);
    assert_int_equal(field(&p, p.value, KEY_A), PICKLE_ABSENT);
    assert_int_equal(pickle_object(&p, p.value)->n, 2);
    pickle_done(&p);
    sb_done(&sb);
}

/* [[1,2], [1,2], [1,2,3], [1]]: the second and the last list share a prefix with the first; the
 * third grew, so it has its own cells. */
static void test_shared_lists(void **state)
{
    static const uint32_t n_wanted[] = {2, 2, 3, 1};
    struct pickle p;
    pickle_value lists[4];
    uint32_t n;

    (void)state;
    assert_int_equal(READ(&p, "\x80\x02](](K\x01K\x02" "e](K\x01K\x02" "e](K\x01K\x02" "eK\x03" "a](K\x01" "ee."),
                     PICKLE_STOPPED);
    memcpy(lists, pickle_elements(&p, p.value, &n), sizeof lists);
    assert_int_equal(n, 4);
    for (uint32_t i = 0; i < 4; i++) {
        const pickle_value *elements = pickle_elements(&p, lists[i], &n);

        assert_int_equal(n, n_wanted[i]);
        for (uint32_t k = 0; k < n; k++)
            assert_int_equal(pickle_index(elements[k]), k + 1);
    }
    assert_int_equal(pickle_object(&p, lists[0])->first, pickle_object(&p, lists[1])->first);
    assert_int_not_equal(pickle_object(&p, lists[0])->first, pickle_object(&p, lists[2])->first);
    pickle_done(&p);
}

/* Watches the elements of a list of three. */
static void watch(void *context, pickle_value list, uint32_t n_before)
{
    struct pickle *p = context;
    const pickle_value *values;
    uint32_t n;

    (void)n_before;
    values = pickle_elements(p, list, &n);
    for (uint32_t i = 0; i < n && n == 3; i++)
        pickle_watch(p, values[i]);
}

/* [{}, [], {}] is watched when it is created; MORE follows and finds its elements in the memo. */
static bool changes_late(const char *more, size_t len)
{
    static const char begin[] = "\x80\x02](}q\x00]q\x01}q\x02" "e";
    struct strbuf sb = {0};
    struct pickle p;
    bool has_late_changes;

    sb_add(&sb, begin, sizeof begin - 1);
    sb_add(&sb, more, len);
    pickle_init(&p, (const uint8_t *)sb.data, sb.len, keys, 2);
    p.grown = watch;
    p.context = &p;
    assert_int_equal(pickle_read(&p), PICKLE_STOPPED);
    has_late_changes = p.has_late_changes;
    pickle_done(&p);
    sb_done(&sb);
    return has_late_changes;
}

#define CHANGES_LATE(more) changes_late((more), sizeof(more) - 1)

/* Containers read while empty, then filled in each possible way. */
static void test_late_changes(void **state)
{
    (void)state;
    assert_false(CHANGES_LATE("."));
    assert_false(CHANGES_LATE("]K\x01" "a0}\x8c\x01" "aK\x01s0."));
    assert_true(CHANGES_LATE("h\x00\x8c\x01" "aK\x01s0."));
    assert_true(CHANGES_LATE("h\x02(\x8c\x01" "aK\x01u0."));
    assert_true(CHANGES_LATE("h\x01K\x01" "a0."));
    assert_true(CHANGES_LATE("h\x01(K\x01K\x02" "e0."));
    /* A list of memo values that appeared before in the same order, twice. */
    assert_false(CHANGES_LATE("](h\x00h\x02" "e](h\x02" "e](h\x00h\x02" "e](h\x02" "e."));
    assert_true(CHANGES_LATE("](h\x00h\x02" "e](h\x02" "e](h\x00h\x02" "eh\x01(h\x02" "e0000."));
}

/* {"a": 5, "b": -1} with "b" set again. */
static void test_keys_set_later(void **state)
{
    struct pickle p;
    int64_t number;

    (void)state;
    assert_int_equal(READ(&p, "\x80\x02}(\x8c\x01" "aK\x05\x8c\x01" "bJ\xff\xff\xff\xffu\x8c\x01" "bJ\xfe\xff\xff\xffs."),
                     PICKLE_STOPPED);
    assert_int_equal(pickle_index(field(&p, p.value, KEY_A)), 5);
    assert_true(pickle_time(&p, field(&p, p.value, KEY_B), &number));
    assert_int_equal(number, -2);
    pickle_done(&p);
}

/* Element I of list WHICH of the result. */
static uint64_t number_in(struct pickle *p, uint32_t which, uint32_t i)
{
    uint32_t n;
    const pickle_value list = pickle_elements(p, p->value, &n)[which];

    assert_true(which < n);
    assert_true(i < pickle_object(p, list)->n);
    return pickle_index(pickle_elements(p, list, &n)[i]);
}

/* Lists repeated in the same order have equal elements until the memo changes. */
static void test_repeated_lists(void **state)
{
    struct pickle p;

    (void)state;
    assert_int_equal(READ(&p, "\x80\x02K\x01q\x01"
                              "0K\x02q\x02"
                              "0]("
                              "](h\x01h\x02"
                              "e](h\x02"
                              "e](h\x01h\x02"
                              "e](h\x02"
                              "e](h\x01h\x02"
                              "eK\x07"
                              "aK\x09q\x01"
                              "0](h\x02"
                              "e](h\x01h\x02"
                              "ee...................."),
                     PICKLE_STOPPED);
    for (uint32_t i = 0; i < 5; i++) {
        assert_int_equal(number_in(&p, i, 0), i % 2 ? 2 : 1);
        assert_int_equal(pickle_object(&p, pickle_elements(&p, p.value, &(uint32_t){0})[i])->n,
                         i % 2 ? 1 : i == 4 ? 3 : 2);
    }
    assert_int_equal(number_in(&p, 4, 2), 7);
    assert_int_equal(number_in(&p, 5, 0), 2);
    assert_int_equal(number_in(&p, 6, 0), 9);
    assert_int_equal(number_in(&p, 6, 1), 2);
    pickle_done(&p);
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_numbers), cmocka_unit_test(test_aliases),
        cmocka_unit_test(test_far_memo), cmocka_unit_test(test_damage),
        cmocka_unit_test(test_refused), cmocka_unit_test(test_many_keys),
        cmocka_unit_test(test_shared_lists), cmocka_unit_test(test_keys_set_later),
        cmocka_unit_test(test_late_changes),
        cmocka_unit_test(test_repeated_lists),
    };

    return cmocka_run_group_tests_name("load/snapshot/pickle", tests, NULL, NULL);
}
