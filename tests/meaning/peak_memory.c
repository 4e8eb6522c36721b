/* peak_memory.c: peak heap use of a part of the program, measured with the hooks of the address
 * sanitizer. */
#include "meaning/peak_memory.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/sanitize.h"

/* NULL without the sanitizer. */
__attribute__((weak)) int __sanitizer_install_malloc_and_free_hooks(
    void (*on_malloc)(const volatile void *, size_t), void (*on_free)(const volatile void *));

static atomic_llong now, peak;
static atomic_bool measuring; /* only between start and end: queries after loading have no such
                               * bound */

static void on_malloc(const volatile void *bytes, size_t len)
{
    long long sum, max;

    (void)bytes;
    if (!atomic_load_explicit(&measuring, memory_order_relaxed))
        return;
    sum = atomic_fetch_add(&now, (long long)len) + (long long)len;
    max = atomic_load(&peak);
    while (max < sum && !atomic_compare_exchange_weak(&peak, &max, sum))
        ;
}

static void on_free(const volatile void *bytes)
{
    if (atomic_load_explicit(&measuring, memory_order_relaxed))
        atomic_fetch_sub(&now, (long long)sanitize_heap_bytes((const void *)(uintptr_t)bytes));
}

void peak_memory_start(void)
{
    static bool hooked;

    if (!hooked && __sanitizer_install_malloc_and_free_hooks)
        hooked = __sanitizer_install_malloc_and_free_hooks(on_malloc, on_free) > 0;
    atomic_store(&now, 0);
    atomic_store(&peak, 0);
    atomic_store(&measuring, true);
}

size_t peak_memory_end(void)
{
    atomic_store(&measuring, false);
    return (size_t)atomic_load(&peak);
}
