/* table_list.c: the list of all tables. */
#include "export/tables/table_list.h"

#define TABLE_ADDRESS(name, ...) &table_##name,
const struct table *const table_list[] = {TABLE_LIST(TABLE_ADDRESS, TABLE_ADDRESS, TABLE_ADDRESS)
                                         NULL};
#undef TABLE_ADDRESS
