/* test_details_memory.c: the details pane for allocations of a node. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
/* clang-format off */
#include <cmocka.h>
/* clang-format on */

#include "model/memory_log.h"
#include "tui/panes/details/details_parts.h"

/* Allocations of equal size at one event on two devices are in device order, wherever they are in
 * memory. */
static void equal_allocations_are_in_the_order_of_devices(void **state)
{
    struct memory_allocation allocations[2] = {{.bytes = 4096, .begin = 1, .end = 9},
                                               {.bytes = 4096, .begin = 1, .end = 3}};
    struct memory_allocator allocators[2] = {{.n_events = 20}, {.n_events = 20}};
    struct memory_site site = {.id = 0};
    struct memory_log log = {.sites = &site, .n_sites = 1};
    struct profile p = {.n_nodes = 1, .memory = &log};

    (void)state;
    log.allocators.data = allocators;
    log.allocators.n = 2;
    for (size_t swapped = 0; swapped < 2; swapped++) {
        struct lines l = {.cols = 60};
        const char *at;

        for (size_t i = 0; i < 2; i++) {
            allocators[i].allocations.data = &allocations[i ^ swapped];
            allocators[i].allocations.n = 1;
        }
        details_memory(&l, &p, 0);
        at = strstr(sb_text(&l.text), swapped ? "freed after 2 events" : "freed after 8 events");
        assert_non_null(at);
        assert_non_null(strstr(at, swapped ? "freed after 8 events" : "freed after 2 events"));
        lines_done(&l);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(equal_allocations_are_in_the_order_of_devices),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
