/* sanitize.h: annotations of our memory pools for the sanitizers. */
#pragma once

#include <stddef.h>

/* 1 in builds with the address sanitizer.  Arenas then put poisoned red zones between allocations,
 * arrays have no readable room after their elements, and mapped files end at the file's size, so
 * that an access one byte outside is reported and ends the program. */
#if defined(__SANITIZE_ADDRESS__)
#define SANITIZE_ADDRESS 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define SANITIZE_ADDRESS 1
#endif
#endif

#ifdef SANITIZE_ADDRESS
#include <sanitizer/asan_interface.h>
/* gcc has it, but does not declare it. */
size_t __sanitizer_get_allocated_size(const volatile void *p);
#else
#define SANITIZE_ADDRESS 0
#endif

/* 1 in builds with the thread sanitizer. */
#if defined(__SANITIZE_THREAD__)
#define SANITIZE_THREAD 1
#elif defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define SANITIZE_THREAD 1
#endif
#endif
#ifndef SANITIZE_THREAD
#define SANITIZE_THREAD 0
#endif

/* Poisons LEN bytes at P. The shadow memory has a granularity of eight bytes: if P is not aligned
 * to eight, the bytes before it must be addressable. */
static inline void sanitize_forbid(const void *p, size_t len)
{
#if SANITIZE_ADDRESS
    __asan_poison_memory_region(p, len);
#else
    (void)p, (void)len;
#endif
}

/* Unpoisons LEN bytes at P. Required before memory is returned to the system by other ways than
 * free(). */
static inline void sanitize_allow(const void *p, size_t len)
{
#if SANITIZE_ADDRESS
    __asan_unpoison_memory_region(p, len);
#else
    (void)p, (void)len;
#endif
}

/* Requested size of the heap memory P; 0 for NULL, and in builds without the address sanitizer. */
static inline size_t sanitize_heap_bytes(const void *p)
{
#if SANITIZE_ADDRESS
    return p ? __sanitizer_get_allocated_size(p) : 0;
#else
    (void)p;
    return 0;
#endif
}
