/* gen_capture.c: generates captures of any size by repeating a chunk of a training job on two GPUs
 * with increasing times and ids of launches.
 *
 *     gen_capture PROGRAM MEGABYTES > FILE
 *
 * PROGRAM is a capture in text form that begins with host and program (tests/golden/captures).  A
 * chunk has 100 steps with marks, and for each step 200 Python calls on the host, the launches of
 * 16 kernels, and the kernels of the program's instructions with the stats that profilers write. */
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/vec.h"
#include "base/wire_in.h"
#include "base/wire_out.h"
#include "fixtures/capture_text.h"

enum { STEPS = 100, KERNELS = 8, GPUS = 2, CALLS = 200 };

/* Large enough that their varints are as long as those of all later chunks. */
static const uint64_t FIRST_NS = UINT64_C(1700000000000000000);
static const uint64_t FIRST_ID = UINT64_C(1) << 40, IDS = (uint64_t)STEPS * GPUS * KERNELS;
static const uint64_t CHUNK_NS = UINT64_C(200000000), STEP_PS = UINT64_C(2000000000);

static const struct {
    const char *kernel, *instruction;
    unsigned dur_us;
} kernels[KERNELS] = {
    {"gemm_main", "dot", 400},   {"gemm_reduce", "dot", 30}, {"tanh_kernel", "tanh", 60},
    {"add_kernel", "next", 3},   {"tanh_kernel", "tanh", 61}, {"multiply_kernel", "scale", 50},
    {"transpose_kernel", "sum", 70}, {"gemm_main", "dot", 410},
};

/* Reads the lines of the file PATH up to the end of its program. */
static void add_program(struct strbuf *sb, const char *path)
{
    FILE *file = fopen(path, "r");
    char line[4096];
    bool found = false;

    while (file && !found && fgets(line, sizeof line, file)) {
        sb_adds(sb, line);
        found = strcmp(line, "end\n") == 0;
    }
    if (!found) {
        fprintf(stderr, "gen_capture: no program in %s\n", path);
        exit(EXIT_FAILURE);
    }
    fclose(file);
}

static uint64_t correlation(unsigned step, unsigned gpu, unsigned kernel)
{
    return FIRST_ID + ((uint64_t)step * GPUS + gpu) * KERNELS + kernel;
}

static void add_host(struct strbuf *sb)
{
    sb_addf(sb, "plane; /host:CPU\nline; 1; python; %" PRIu64 "\n", FIRST_NS);
    for (unsigned step = 0; step < STEPS; step++) {
        const uint64_t at = step * STEP_PS;

        sb_addf(sb, "event; train; %" PRIu64 "; 1900000000; step_num=%u; _r=1\n", at, step);
        for (unsigned i = 0; i < CALLS; i++)
            sb_addf(sb, "event; $layers.py:%u call_%u; %" PRIu64 "; %u\n", 10 + i % 50, i % 50,
                    at + 1000000 + i * UINT64_C(9000000), 8000000 - i % 7);
        for (unsigned gpu = 0; gpu < GPUS; gpu++)
            for (unsigned k = 0; k < KERNELS; k++)
                sb_addf(sb, "event; hipLaunchKernel; %" PRIu64 "; 5000000; correlation_id=%" PRIu64
                            "; device_id=%u\n",
                        at + 2000000 + (gpu * KERNELS + k) * UINT64_C(10000000),
                        correlation(step, gpu, k), gpu);
    }
}

static void add_gpu(struct strbuf *sb, unsigned gpu)
{
    sb_addf(sb, "plane; /device:GPU:%u\nline; 7; Stream #7(Kernel); %" PRIu64 "\n", gpu, FIRST_NS);
    for (unsigned step = 0; step < STEPS; step++)
        for (unsigned k = 0; k < KERNELS; k++)
            sb_addf(sb, "event; %s; %" PRIu64 "; %u000000; kernel_details=grid:%u,1,1; hlo_op=%s; "
                        "hlo_module=jit_train_step; program_id=3; correlation_id=%" PRIu64 "\n",
                    kernels[k].kernel, step * STEP_PS + 50000000 + k * UINT64_C(150000000),
                    kernels[k].dur_us / (1 + step % 3), 64 + k, kernels[k].instruction,
                    correlation(step, gpu, k));
}

/* Offsets of the times of lines in CHUNK. */
typedef VEC(size_t) places;

static void find_times(const struct strbuf *chunk, places *times)
{
    struct strbuf time = {0};

    wire_int_always(&time, 3, (int64_t)FIRST_NS);
    for (size_t i = 0; i + time.len <= chunk->len; i++)
        if (memcmp(chunk->data + i, time.data, time.len) == 0)
            vec_push(times, i);
    sb_done(&time);
}

static void set_times(struct strbuf *chunk, const places *times, uint64_t ns)
{
    struct strbuf time = {0};

    wire_int_always(&time, 3, (int64_t)ns);
    for (size_t i = 0; i < times->n; i++)
        memcpy(chunk->data + times->data[i], time.data, time.len);
    sb_done(&time);
}

/* An id in CHUNK. */
struct place {
    size_t at; /* offset of its field */
    uint64_t id;
};

typedef VEC(struct place) id_places;

enum { XSTAT_INT64 = 4 };

static void find_ids(const struct strbuf *chunk, id_places *ids)
{
    const uint8_t *bytes = (const uint8_t *)chunk->data, *end = bytes + chunk->len;

    for (const uint8_t *field = bytes; field < end; field++) {
        const uint8_t *at = field + 1;
        uint64_t id;

        if (*field == XSTAT_INT64 << 3 && wire_read_varint(&at, end, &id) && id >= FIRST_ID &&
            id < FIRST_ID + IDS)
            vec_push(ids, ((struct place){(size_t)(field - bytes), id}));
    }
}

/* Sets the ids of chunk NUMBER. */
static void set_ids(struct strbuf *chunk, const id_places *ids, uint64_t number)
{
    struct strbuf field = {0};

    vec_each(const struct place, p, ids) {
        sb_clear(&field);
        wire_int_always(&field, XSTAT_INT64, (int64_t)(p->id + number * IDS));
        memcpy(chunk->data + p->at, field.data, field.len);
    }
    sb_done(&field);
}

int main(int argc, char **argv)
{
    struct strbuf program = {0}, text = {0}, head = {0}, chunk = {0};
    const double bytes = argc == 3 ? atof(argv[2]) * 1e6 : 0;
    places times = {0};
    id_places ids = {0};
    double written;

    if (bytes <= 0) {
        fprintf(stderr, "usage: gen_capture PROGRAM MEGABYTES\n");
        return EXIT_FAILURE;
    }
    add_program(&program, argv[1]);
    capture_text(&head, sb_text(&program));
    add_host(&text);
    for (unsigned gpu = 0; gpu < GPUS; gpu++)
        add_gpu(&text, gpu);
    capture_text(&chunk, sb_text(&text));
    find_times(&chunk, &times);
    find_ids(&chunk, &ids);
    fwrite(head.data, 1, head.len, stdout);
    written = (double)head.len;
    for (uint64_t i = 0; written < bytes; i++) {
        set_times(&chunk, &times, FIRST_NS + i * CHUNK_NS);
        set_ids(&chunk, &ids, i);
        fwrite(chunk.data, 1, chunk.len, stdout);
        written += (double)chunk.len;
    }
    EACH(vec_done, &times, &ids);
    sb_done(&program);
    sb_done(&text);
    sb_done(&head);
    sb_done(&chunk);
    return fflush(stdout) ? EXIT_FAILURE : EXIT_SUCCESS;
}
