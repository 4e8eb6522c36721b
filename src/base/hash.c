/* hash.c: random hash key of the process, and the hash of a byte string. */
#include "base/hash.h"

#include <string.h>
#include <sys/auxv.h>
#include <sys/random.h>
#include <time.h>

uint64_t hash_key[3];

/* Runs before main(), and so before any other thread: the key is constant for all readers. */
__attribute__((constructor)) static void draw_key(void)
{
    /* 16 random bytes from the kernel */
    const void *of_kernel = (const void *)getauxval(AT_RANDOM);
    struct timespec now;

    if (getrandom(hash_key, sizeof hash_key, GRND_NONBLOCK) != (ssize_t)sizeof hash_key) {
        if (of_kernel)
            memcpy(hash_key, of_kernel, 16);
        if (clock_gettime(CLOCK_MONOTONIC, &now) == 0)
            hash_key[2] ^= (uint64_t)now.tv_nsec * 0x9e3779b97f4a7c15u;
    }
    hash_key[2] |= 1; /* used as a factor, so it must not be 0 */
}

static uint64_t load_8(const unsigned char *p)
{
    uint64_t word;

    memcpy(&word, p, sizeof word);
    return word;
}

static uint64_t load_4(const unsigned char *p)
{
    uint32_t word;

    memcpy(&word, p, sizeof word);
    return word;
}

/* Reads sixteen bytes at a time: names have 20 to 60 bytes, and interning them dominates load time.
 * The last two words may overlap bytes that were read before; the length is hashed too. */
uint64_t hash_bytes(const void *bytes, size_t len)
{
    const unsigned char *p = bytes;
    uint64_t hash = hash_key[0] ^ len;
    uint64_t a = 0, b = 0;

    for (; len > 16; p += 16, len -= 16)
        hash = hash_fold(load_8(p) ^ hash_key[1], load_8(p + 8) ^ hash);
    if (len >= 8) {
        a = load_8(p);
        b = load_8(p + len - 8);
    } else if (len >= 4) {
        a = load_4(p);
        b = load_4(p + len - 4);
    } else if (len > 0) {
        a = (uint64_t)p[0] << 16 | (uint64_t)p[len / 2] << 8 | p[len - 1];
    }
    return hash_fold(hash_fold(a ^ hash_key[1], b ^ hash), hash_key[2]);
}
