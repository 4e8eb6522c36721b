/* hash.h: hash functions with a random key per process.
 *
 * With a fixed hash, the author of a file could choose colliding strings and make table lookups
 * linear. Each step multiplies 64 by 64 bits and folds the product: two inputs collide for about
 * one key in 2^64. The hashes differ in each process, so no output may depend on their order. */
#pragma once

#include <stddef.h>
#include <stdint.h>

/* Random bits, set before main() and constant after it. Private to this header. */
extern uint64_t hash_key[3];

__extension__ typedef unsigned __int128 hash_product;

static inline uint64_t hash_fold(uint64_t a, uint64_t b)
{
    const hash_product product = (hash_product)a * b;

    return (uint64_t)product ^ (uint64_t)(product >> 64);
}

uint64_t hash_bytes(const void *bytes, size_t len);

/* Hashes two numbers. */
static inline uint64_t hash_pair(uint64_t a, uint64_t b)
{
    return hash_fold(hash_fold(a ^ hash_key[0], b ^ hash_key[1]), hash_key[2]);
}
