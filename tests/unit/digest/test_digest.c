/* test_digest.c: parts of digests merge to the same bytes in any order and grouping, and damaged
 * parts are detected. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#include "base/xalloc.h"
#include "digest/part_files.h"
#include "fixtures/random_options.h"

static bool keep(void *context, const void *bytes, size_t len, struct err *err)
{
    (void)err;
    sb_add(context, bytes, len);
    return true;
}

static int by_key(const void *a, const void *b)
{
    const struct digest_record *x = a, *y = b;

    return digest_key_compare(&x->key, &y->key);
}

/* A number of any size, often at a limit of its type. */
static uint64_t any_number(uint64_t *state)
{
    return random_below(state, 8) == 0 ? UINT64_MAX - random_below(state, 2)
                                       : random_next(state) >> random_below(state, 64);
}

static void make_key(uint64_t *state, struct strbuf *key)
{
    static const char *const words[] = {"", "a", "a\0b", "a\0\xff", "\xff\xff", "ab", "gradients/x"};
    static const size_t lens[] = {0, 1, 3, 3, 2, 2, 11};

    for (int part = 0; part < DIGEST_KEYS; part++) {
        const size_t word = random_below(state, 7);
        struct strbuf list = {0};

        if (part == DIGEST_TYPES || part == DIGEST_STACK) {
            const uint64_t n = random_below(state, 2) * (part == DIGEST_STACK ? 3 : 1);

            for (uint64_t i = 0; i < n; i++)
                digest_list_add(&list, words[word], lens[word]);
            digest_key_add(key, sb_text(&list), list.len);
        } else {
            digest_key_add(key, words[word % (part == DIGEST_HOST ? 7 : 2)],
                           lens[word % (part == DIGEST_HOST ? 7 : 2)]);
        }
        sb_done(&list);
    }
}

/* A part of up to 40 records. */
static void make_part(uint64_t *state, struct strbuf *part)
{
    struct digest_record records[40];
    const size_t n = random_below(state, 41);
    struct part_out out;
    struct err err = {0};

    memset(records, 0, sizeof records);
    for (size_t i = 0; i < n; i++) {
        make_key(state, &records[i].key);
        for (uint64_t times = random_below(state, 5); times--;)
            digest_record_time(&records[i], any_number(state));
        for (int f = DIGEST_FLOPS; f < DIGEST_FIGURES; f++)
            records[i].figures[f] = any_number(state);
    }
    qsort(records, n, sizeof *records, by_key);
    part_out_begin(&out, keep, part);
    for (size_t i = 0; i < n; i++)
        if (!i || by_key(&records[i - 1], &records[i]) != 0)
            assert_true(part_out_add(&out, &records[i], &err));
    assert_true(part_out_end(&out, &err));
    part_out_done(&out);
    for (size_t i = 0; i < n; i++)
        digest_record_done(&records[i]);
}

/* Merges N parts, read in chunks of BUFFER bytes; false with ERR. */
static bool merge(const struct strbuf *parts, size_t n, size_t buffer, struct strbuf *merged,
                  struct err *err)
{
    struct part_in *ins = xcalloc(n + 1, sizeof *ins);
    struct part_bytes *bytes = xcalloc(n + 1, sizeof *bytes);
    const struct cancel_mark never = {NULL, 0};
    struct part_out out;
    size_t failed;
    bool ok;

    for (size_t i = 0; i < n; i++) {
        bytes[i] = (struct part_bytes){parts[i].data, parts[i].len};
        part_in_init(&ins[i], part_read_bytes, &bytes[i], buffer);
    }
    part_out_begin(&out, keep, merged);
    ok = digest_merge(ins, n, &out, never, &failed, err);
    part_out_done(&out);
    for (size_t i = 0; i < n; i++)
        part_in_done(&ins[i]);
    free(ins);
    free(bytes);
    return ok;
}

static void assert_same(const struct strbuf *a, const struct strbuf *b)
{
    assert_int_equal(a->len, b->len);
    assert_memory_equal(a->data, b->data, a->len);
}

/* Merges PARTS along a random tree and frees them; the result is parts[0]. */
static void merge_by_tree(uint64_t *state, struct strbuf *parts, size_t n)
{
    while (n > 1) {
        const size_t group = 2 + random_below(state, (uint32_t)n - 1);
        struct strbuf merged = {0};
        struct err err = {0};

        for (size_t i = 0; i < n; i++) { /* in any order */
            const size_t k = random_below(state, (uint32_t)n);
            const struct strbuf swapped = parts[i];

            parts[i] = parts[k];
            parts[k] = swapped;
        }
        assert_true(merge(parts + n - group, group, 1 + random_below(state, 300), &merged, &err));
        for (size_t i = n - group; i < n; i++)
            sb_done(&parts[i]);
        n -= group - 1;
        parts[n - 1] = merged;
    }
}

static void any_tree_of_merges_gives_the_same_bytes(void **unused)
{
    (void)unused;
    for (uint64_t seed = 1; seed <= 300; seed++) {
        uint64_t state = seed;
        struct strbuf parts[12], at_once = {0}, again = {0};
        const size_t n = 1 + random_below(&state, 12);
        struct err err = {0};

        memset(parts, 0, sizeof parts);
        for (size_t i = 0; i < n; i++)
            make_part(&state, &parts[i]);
        assert_true(merge(parts, n, 4096, &at_once, &err));
        merge_by_tree(&state, parts, n);
        assert_same(&parts[0], &at_once);
        assert_true(merge(&at_once, 1, 7, &again, &err)); /* merging a single part changes
                                                           * nothing */
        assert_same(&again, &at_once);
        sb_done(&parts[0]);
        sb_done(&at_once);
        sb_done(&again);
    }
}

static void every_damaged_byte_and_truncation_is_detected(void **unused)
{
    uint64_t state = 5;
    struct strbuf part = {0}, merged = {0};
    struct err err = {0};

    (void)unused;
    while (part.len < 500) {
        sb_clear(&part);
        make_part(&state, &part);
    }
    for (size_t at = 0; at < part.len; at++) {
        const struct part_bytes cut = {part.data, at};
        struct strbuf cut_part = {.data = part.data, .len = cut.len};

        sb_clear(&merged);
        part.data[at] = (char)(part.data[at] ^ 1 << random_below(&state, 8));
        assert_false(merge(&part, 1, 64, &merged, &err));
        assert_int_equal(err.kind, ERR_INPUT);
        err_done(&err);
        assert_false(merge(&cut_part, 1, 64, &merged, &err));
        err_done(&err);
        sb_clear(&part);
        state = 5; /* the same part again */
        while (part.len < 500) {
            sb_clear(&part);
            make_part(&state, &part);
        }
    }
    sb_addc(&part, 'x');
    assert_false(merge(&part, 1, 64, &merged, &err));
    err_done(&err);
    sb_done(&part);
    sb_done(&merged);
}

/* True when KEY is complete: all parts, valid lists, and stacks of whole frames. */
static bool is_key(struct text key)
{
    struct strbuf part = {0}, item = {0};
    uint32_t at = 0;
    bool ok = true;

    for (int i = 0; ok && i < DIGEST_KEYS; i++) {
        uint32_t in_list = 0, n_items = 0;

        ok = digest_part_next(key, &at, &part);
        for (; ok && (i == DIGEST_TYPES || i == DIGEST_STACK) && in_list < part.len; n_items++)
            ok = digest_part_next((struct text){sb_text(&part), (uint32_t)part.len}, &in_list, &item);
        ok = ok && (i != DIGEST_STACK || n_items % 3 == 0);
    }
    sb_done(&part);
    sb_done(&item);
    return ok && at == key.len;
}

static struct text text_of(const struct strbuf *sb)
{
    return (struct text){sb_text(sb), (uint32_t)sb->len};
}

/* Keys that share a prefix of any length with the previous key, and contain bytes with a special
 * meaning. */
static void shared_prefixes_of_keys_are_not_read_again(void **unused)
{
    static const char bytes[] = {0, 1, (char)0xff, 'a'};
    uint64_t state = 11;
    unsigned n_valid = 0;

    (void)unused;
    for (int chain = 0; chain < 4000; chain++) {
        struct digest_key_ends ends = {.n = 0};
        struct strbuf key = {0};
        bool valid = true;

        for (int step = 0; valid && step < 20; step++) {
            const uint32_t shared = random_below(&state, (uint32_t)key.len + 1);
            struct strbuf other = {0};

            make_key(&state, &other);
            digest_key_ends_cut(&ends, text_of(&key), shared);
            sb_truncate(&key, shared);
            if (random_below(&state, 2) && other.len > shared)
                sb_add(&key, other.data + shared, other.len - shared);
            else
                for (uint32_t n = random_below(&state, 6); n--;)
                    sb_addc(&key, bytes[random_below(&state, 4)]);
            if (random_below(&state, 3) == 0)
                sb_add(&key, other.data, other.len);
            valid = digest_key_ends_extend(&ends, text_of(&key), shared);
            assert_int_equal(valid, is_key(text_of(&key)));
            n_valid += valid;
            sb_done(&other);
        }
        sb_done(&key);
    }
    assert_true(n_valid > 1000);
}

static void quantiles_are_within_the_stated_error(void **unused)
{
    uint64_t state = 3;

    (void)unused;
    for (int round = 0; round < 20000; round++) {
        const uint64_t value = random_next(&state) >> random_below(&state, 64);
        const uint64_t stood_for = sketch_value_of(sketch_bucket_of(value));
        const uint64_t error = value > stood_for ? value - stood_for : stood_for - value;

        assert_true(sketch_bucket_of(value) < SKETCH_BUCKETS);
        assert_true(error <= value / 128);
    }
    for (uint32_t i = 0; i < SKETCH_BUCKETS; i++)
        assert_int_equal(sketch_bucket_of(sketch_value_of(i)), i);
}

static void quantiles_equal_those_of_sorted_values(void **unused)
{
    struct sketch s = {.buckets = {0}};

    (void)unused;
    assert_int_equal(sketch_quantile(&s, 50), 0);
    for (uint64_t value = 1; value <= 50; value++)
        sketch_add(&s, value);
    assert_int_equal(sketch_quantile(&s, 50), 25);
    assert_int_equal(sketch_quantile(&s, 99), 50);
    assert_int_equal(sketch_quantile(&s, 1), 1);
    assert_int_equal(sketch_count(&s), 50);
    sketch_done(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(any_tree_of_merges_gives_the_same_bytes),
        cmocka_unit_test(every_damaged_byte_and_truncation_is_detected),
        cmocka_unit_test(shared_prefixes_of_keys_are_not_read_again),
        cmocka_unit_test(quantiles_are_within_the_stated_error),
        cmocka_unit_test(quantiles_equal_those_of_sorted_values),
    };

    return cmocka_run_group_tests_name("digest", tests, NULL, NULL);
}
