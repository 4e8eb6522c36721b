/* gen_snapshot.c: generates memory snapshots of any size that resemble those of PyTorch.
 *
 *     gen_snapshot EVENTS > FILE
 *
 * A training job in the layout of torch.cuda.memory._snapshot(), written as Python's pickler does
 * (protocol 4): every event is a dict, every allocation has a list of 20 frames of its own, and frames are
 * shared.  A third of the allocations of a step lives up to the next step.  The last event is a request
 * that failed.  An event takes about 100 bytes, and everything is a function of its number. */
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { FRAMES = 400, STACKS = 600, DEPTH = 20, LIVE = 2000, BLOCK_BYTES = 4096 };

enum word { ACTION, ADDR, SIZE, STREAM, TIME_US, STACK_FRAMES, FILENAME, NAME, LINE, ALLOC, FREE_COMPLETED, OOM,
            DEVICE_FREE, WORD_COUNT };

static const char *const words[] = {"action", "addr", "size", "stream", "time_us", "frames", "filename", "name",
                                    "line", "alloc", "free_completed", "oom", "device_free"};

struct writer {
    uint32_t n_memo;
    uint32_t word_memo[WORD_COUNT]; /* 1 + index in the memo; 0: not written yet */
    uint32_t frame_memo[FRAMES];
    uint64_t live[LIVE]; /* address, 0: none */
    uint64_t n_allocations, us;
};

static void put(uint64_t number, int n_bytes)
{
    for (int i = 0; i < n_bytes; i++)
        putchar((int)(number >> 8 * i & 0xff));
}

static void memoize(struct writer *w)
{
    putchar(0x94);
    w->n_memo++;
}

static void get(uint32_t place)
{
    putchar(place < 256 ? 'h' : 'j');
    put(place, place < 256 ? 1 : 4);
}

static void text(struct writer *w, const char *s)
{
    putchar(0x8c);
    put(strlen(s), 1);
    fputs(s, stdout);
    memoize(w);
}

static void word(struct writer *w, enum word which)
{
    if (w->word_memo[which]) {
        get(w->word_memo[which] - 1);
        return;
    }
    text(w, words[which]);
    w->word_memo[which] = w->n_memo;
}

static void number(uint64_t n)
{
    if (n < 0x100) {
        putchar('K');
        put(n, 1);
    } else if (n < 0x80000000) {
        putchar('J');
        put(n, 4);
    } else {
        putchar(0x8a);
        put(7, 1);
        put(n, 7);
    }
}

static void begin(struct writer *w, char container)
{
    putchar(container);
    memoize(w);
    putchar('(');
}

static void frame(struct writer *w, uint32_t which)
{
    char name[64];

    if (w->frame_memo[which]) {
        get(w->frame_memo[which] - 1);
        return;
    }
    begin(w, '}');
    w->frame_memo[which] = w->n_memo;
    word(w, FILENAME);
    snprintf(name, sizeof name, which % 3 ? "/home/user/job/part_%" PRIu32 ".py" : "Part%" PRIu32 ".cpp", which / 8);
    text(w, name);
    word(w, NAME);
    snprintf(name, sizeof name, which % 3 ? "forward_%" PRIu32 : "at::_ops::op_%" PRIu32 "::call(at::Tensor const&)",
             which);
    text(w, name);
    word(w, LINE);
    number(which % 300);
    putchar('u');
}

static void frames(struct writer *w, uint32_t stack)
{
    word(w, STACK_FRAMES);
    begin(w, ']');
    for (uint32_t i = 0; i < DEPTH; i++)
        frame(w, i < DEPTH / 2 ? (stack * 7 + i * 13) % FRAMES : i * 11 % FRAMES);
    putchar('e');
}

static void event(struct writer *w, enum word action, uint64_t address, uint64_t bytes)
{
    begin(w, '}');
    word(w, ACTION);
    word(w, action);
    if (action == OOM)
        word(w, DEVICE_FREE);
    else
        word(w, ADDR);
    number(address);
    word(w, SIZE);
    number(bytes);
    word(w, STREAM);
    number(0);
    word(w, TIME_US);
    number(UINT64_C(1760000000000000) + (w->us += 7));
    if (action == ALLOC || action == OOM)
        frames(w, (uint32_t)(w->n_allocations % STACKS));
    putchar('u');
}

static uint64_t bytes_at(uint64_t address)
{
    return (address >> 12) % 50 * BLOCK_BYTES + 512;
}

static void allocation_or_free(struct writer *w, uint64_t i)
{
    uint64_t *slot = &w->live[i % 3 ? i * 7 % (LIVE / 2) : i / 3 % LIVE];

    if (*slot) {
        event(w, FREE_COMPLETED, *slot, bytes_at(*slot));
        *slot = 0;
        return;
    }
    *slot = UINT64_C(0x7f0000000000) + (w->n_allocations++ % (64 * LIVE)) * 64 * BLOCK_BYTES;
    event(w, ALLOC, *slot, bytes_at(*slot));
}

int main(int argc, char **argv)
{
    const uint64_t n_events = argc > 1 ? strtoull(argv[1], NULL, 10) : 10000;
    struct writer w = {.n_memo = 0};

    fputs("\x80\x04", stdout);
    begin(&w, '}');
    text(&w, "segments");
    putchar(']');
    memoize(&w);
    text(&w, "device_traces");
    begin(&w, ']');
    begin(&w, ']');
    for (uint64_t i = 1; i < n_events; i++) {
        allocation_or_free(&w, i);
        if (i % 1000 == 0)
            fputs("e(", stdout);
    }
    event(&w, OOM, 1 << 20, 1 << 30);
    fputs("eeu.", stdout);
    return fflush(stdout) || ferror(stdout);
}
