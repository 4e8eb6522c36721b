/* table_list.h: every table of a profile. */
#pragma once

#include "activity/table.h"

/* In schema order: DATA(NAME) for tables that only SQL reads, TREE and VIEW for those of VIEW_LIST. The
 * source file of its data defines the record table_NAME. */
#define TABLE_LIST(DATA, VIEW, TREE)                           \
    DATA(files)                                                \
    DATA(hosts_of_devices)                                     \
    DATA(steps_of_run)                                         \
    DATA(nodes)                                                \
    DATA(op_types)                                             \
    DATA(edges)                                                \
    DATA(outputs)                                              \
    DATA(shapes)                                               \
    DATA(call_stacks)                                          \
    DATA(executions)                                           \
    DATA(times)                                                \
    DATA(memory_records)                                       \
    DATA(allocations)                                          \
    DATA(segments)                                             \
    DATA(failures)                                             \
    DATA(spreads)                                              \
    DATA(cpu_threads)                                          \
    DATA(collective_kinds)                                     \
    DATA(iteration_phases)                                     \
    VIEW_LIST(TREE, NO_VIEW, NO_VIEW, VIEW)

#define TABLE_RECORD(name, ...) extern const struct table table_##name;
TABLE_LIST(TABLE_RECORD, TABLE_RECORD, TABLE_RECORD)
#undef TABLE_RECORD

extern const struct table *const table_list[]; /* NULL-terminated */

/* Closes rows whose data is one heap block. */
void table_free_data(struct table_rows *t);
