/* exec_head.h: the head of a packed record; private to exec.c, exec_pack.c and run_columns.c.  A record begins
 * with the index of its layout, in two bytes.  The widths of a layout are 64 bits: four bits for each number
 * with its width in bytes (0 to 8; zero takes none), then flags.  The numbers follow the index. */
#pragma once

#include <endian.h>
#include <stdint.h>
#include <string.h>

#include "model/exec.h"

enum head_number {
    HEAD_STEP,
    HEAD_START, /* without the upper bits, which the layout has */
    HEAD_SPAN, /* latest end - start */
    HEAD_RUN_COUNT,
    HEAD_DEVICES, /* xor those of the layout: the device, in the upper half that of the only time */
    HEAD_CPU,         /* omitted if a flag marks it as equal to the span */
    HEAD_ACCELERATOR, /* likewise */
    HEAD_REQUESTED,
    HEAD_PEAK,     /* this and the next two are stored as xor */
    HEAD_RESIDUAL, /* with the requested bytes: usually 0; this one with the sign in the lowest bit */
    HEAD_OUTPUT,
    HEAD_IN_USE,  /* of a memory record, see FLAG_MEMORY */
    HEAD_POINTER, /* of a buffer, see FLAG_BUFFER */
    HEAD_WAIT,    /* part of HEAD_CPU */
    HEAD_NUMBERS,
};

enum { WIDTH_BITS = 4, WIDTH_MASK = 15, NUMBER_MAX_BYTES = 8, HALF_BITS = 32 };

enum head_flag {
    FLAG_CPU_TIME = 1,         /* one time, equal to the span, without a wait */
    FLAG_ACCELERATOR_TIME = 2, /* the same on an accelerator */
    FLAG_DEVICE = 4,           /* one device */
    FLAG_MEMORY = 8,           /* one memory record, at the end, without temporary memory */
    FLAG_BUFFER = 16,          /* it has one buffer, in slot 0: all its output */
    FLAG_TAIL = 32,            /* a tail with the other lists follows */
    FLAG_NO_OUTPUT = 64,       /* output bytes are 0 */
    FLAG_ALLOCATION = 128,     /* one allocation, at the end, of the residual bytes */
    FLAG_SETS = 256,
};

static inline uint64_t load_64(const uint8_t *at)
{
    uint64_t bits;

    memcpy(&bits, at, sizeof bits);
    return le64toh(bits);
}

/* Masks by width: a number is read with the eight bytes at its position. */
static const uint64_t number_mask[NUMBER_MAX_BYTES + 1] = {
    0, 0xff, 0xffff, 0xffffff, 0xffffffff, 0xffffffffff, 0xffffffffffff, 0xffffffffffffff,
    UINT64_MAX};

static inline unsigned head_flags(uint64_t widths)
{
    return (unsigned)(widths >> (HEAD_NUMBERS * WIDTH_BITS));
}

/* Bytes of the first N numbers; one multiplication adds their widths. */
static inline unsigned head_skip(uint64_t widths, unsigned n)
{
    const uint64_t low = UINT64_C(0x0f0f0f0f0f0f0f0f), each = UINT64_C(0x0101010101010101);
    const uint64_t first = widths & ((UINT64_C(1) << (n * WIDTH_BITS)) - 1);

    return (unsigned)((((first & low) + (first >> WIDTH_BITS & low)) * each) >> 56);
}

/* REQUESTED if output bytes are stored relative to them. */
static inline uint64_t head_output_base(unsigned flags, uint64_t requested)
{
    return flags & FLAG_NO_OUTPUT ? 0 : requested;
}

/* Number WHICH, as stored, of the numbers at AT with WIDTHS; for callers that need few numbers. */
static inline uint64_t head_stored(const uint8_t *at, uint64_t widths, unsigned which)
{
    return load_64(at + head_skip(widths, which)) &
           number_mask[widths >> (which * WIDTH_BITS) & WIDTH_MASK];
}

/* The same for number WHICH at *AT, which becomes the position of the next one. */
static inline uint64_t head_next(const uint8_t **at, uint64_t widths, unsigned which)
{
    const unsigned width = widths >> (which * WIDTH_BITS) & WIDTH_MASK;
    const uint64_t number = load_64(*at) & number_mask[width];

    *at += width;
    return number;
}

/* The decoded numbers of a head, and where its tail begins. */
struct head {
    uint64_t number[HEAD_NUMBERS];
    unsigned flags;
    const uint8_t *tail;
};

static inline int64_t minus(int64_t a, int64_t b)
{
    return (int64_t)((uint64_t)a - (uint64_t)b);
}

static inline int64_t plus(int64_t a, int64_t b)
{
    return (int64_t)((uint64_t)a + (uint64_t)b);
}

static inline strid device_of(const struct head *h)
{
    return (strid)h->number[HEAD_DEVICES];
}

static inline int64_t end_ticks(const struct head *h)
{
    return (int64_t)(h->number[HEAD_START] + h->number[HEAD_SPAN]);
}

static inline int64_t time_end(const struct exec_time *t)
{
    return plus(t->start_ticks, t->dur_ticks);
}

/* ---- tails */

/* The tail begins with the number of times, and flags: other lists follow the times; TAIL_ALIKE: the times are on
 * one device, and the first and the last begin and end as the record, so that they follow from its figures. */
enum { TAIL_OTHERS = 1, TAIL_ALIKE = 2, TAIL_BITS = 2 };

/* A time's device: the device, xor that of the record, in the upper bits; below, the wait kind and a bit for
 * accelerators. */
enum { TIME_BITS = 4, WAIT_MASK = 7 };

/* The sum of times alike in the head. */
static inline uint64_t alike_ticks(const struct head *h, uint64_t code)
{
    return h->number[code & 1 ? HEAD_ACCELERATOR : HEAD_CPU];
}
