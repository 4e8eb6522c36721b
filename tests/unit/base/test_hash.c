/* test_hash.c: every byte affects the hash, equal bytes have equal hashes, each process has its own
 * key. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <cmocka.h>

#include "base/hash.h"

enum { MAX_BYTES = 70 };

static void equal_bytes_hash_equally_at_any_address(void **state)
{
    unsigned char here[MAX_BYTES], there[MAX_BYTES + 8];

    (void)state;
    for (size_t i = 0; i < MAX_BYTES; i++)
        here[i] = (unsigned char)(i * 37);
    for (size_t len = 0; len <= MAX_BYTES; len++)
        for (size_t at = 0; at < 8; at++) {
            memset(there, 0xee, sizeof there);
            memcpy(there + at, here, len);
            assert_true(hash_bytes(here, len) == hash_bytes(there + at, len));
        }
}

static void every_bit_and_the_length_count(void **state)
{
    unsigned char bytes[MAX_BYTES] = {0};

    (void)state;
    for (size_t len = 1; len <= MAX_BYTES; len++) {
        const uint64_t hash = hash_bytes(bytes, len);

        assert_true(hash != hash_bytes(bytes, len - 1));
        for (size_t bit = 0; bit < 8 * len; bit++) {
            bytes[bit / 8] ^= (unsigned char)(1 << bit % 8);
            assert_true(hash_bytes(bytes, len) != hash);
            bytes[bit / 8] ^= (unsigned char)(1 << bit % 8);
        }
    }
}

/* Consecutive numbers, and numbers that differ only in their high bits: with 4,096 values in 4,096
 * buckets, about 7 are in the fullest bucket by chance. */
static void low_bits_are_spread(void **state)
{
    enum { N = 4096, FULLEST = 16 };

    (void)state;
    for (int shift = 0; shift <= 48; shift += 8) {
        unsigned filled[2][N] = {{0}};

        for (uint64_t i = 0; i < N; i++) {
            const uint64_t number = i << shift;

            assert_in_range(++filled[0][hash_pair(number, 0) % N], 1, FULLEST);
            assert_in_range(++filled[1][hash_bytes(&number, sizeof number) % N], 1, FULLEST);
        }
    }
}

static uint64_t hash_of_another_process(void)
{
    char path[4096];
    char command[sizeof path + 32];
    const ssize_t len = readlink("/proc/self/exe", path, sizeof path - 1);
    uint64_t hash = 0;
    FILE *said;

    assert_true(len > 0);
    path[len] = '\0';
    snprintf(command, sizeof command, "PRINT_HASH=1 '%s' test_hash", path);
    said = popen(command, "r");
    assert_non_null(said);
    assert_int_equal(fscanf(said, "%" SCNu64, &hash), 1);
    assert_int_equal(pclose(said), 0);
    return hash;
}

static void another_process_has_another_key(void **state)
{
    const uint64_t here = hash_bytes("a", 1);
    const uint64_t first = hash_of_another_process(), second = hash_of_another_process();

    (void)state;
    assert_true(here == hash_bytes("a", 1));
    assert_true(first != second && first != here && second != here);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(equal_bytes_hash_equally_at_any_address),
        cmocka_unit_test(every_bit_and_the_length_count),
        cmocka_unit_test(low_bits_are_spread),
        cmocka_unit_test(another_process_has_another_key),
    };

    if (getenv("PRINT_HASH")) {
        printf("%" PRIu64 "\n", hash_bytes("a", 1));
        return 0;
    }
    return cmocka_run_group_tests_name("base/hash", tests, NULL, NULL);
}
