/* scan_json.c: measures what the machine allows for a JSON file, on one core: reading its bytes, and a
 * structural scan that finds where the outermost value ends and keeps nothing.
 *
 *     scan_json FILE ROUNDS */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "load/bytes/mapping.h"
#include "load/trace/json_in.h"
#include "timing.h"

enum { MAX_ROUNDS = 100 };

static uint64_t sum_of(const struct file_map *map)
{
    uint64_t sum = 0, word;

    for (size_t at = 0; at + sizeof word <= map->size_bytes; at += sizeof word) {
        memcpy(&word, map->bytes + at, sizeof word);
        sum += word;
    }
    return sum;
}

static uint64_t length_of_value(const struct file_map *map)
{
    struct json_in in = {.at = map->bytes, .end = map->bytes + map->size_bytes, .is_last = true};
    struct json_value value;

    return json_value(&in, &value) ? value.len : 0;
}

static void measure(const char *what, uint64_t (*scan)(const struct file_map *map),
                    const struct file_map *map, int rounds)
{
    double ms[MAX_ROUNDS];
    volatile uint64_t result;

    for (int i = 0; i < rounds; i++) {
        const double start = now_ms(CLOCK_THREAD_CPUTIME_ID);

        result = scan(map);
        ms[i] = now_ms(CLOCK_THREAD_CPUTIME_ID) - start;
    }
    (void)result;
    printf("%s\t%.0f\tMB/s\n", what,
           (double)map->size_bytes / 1e3 / percentile(ms, (size_t)rounds, 0.5));
}

int main(int argc, char **argv)
{
    const int rounds = argc == 3 ? atoi(argv[2]) : 0;
    struct err err = {0};
    struct file_map map;

    if (rounds < 1 || rounds > MAX_ROUNDS) {
        fputs("usage: scan_json FILE ROUNDS\n", stderr);
        return 2;
    }
    if (!file_map_open(&map, argv[1], &err)) {
        fprintf(stderr, "scan_json: %s\n", err_text(&err));
        return 1;
    }
    measure("read, one core", sum_of, &map, rounds);
    measure("structural scan, one core", length_of_value, &map, rounds);
    file_map_close(&map);
    return 0;
}
