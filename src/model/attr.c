/* attr.c: finds an attribute by name. */
#include "model/attr.h"

#include <string.h>

const struct attr_value *attrs_find(const struct attr *attrs, size_t n, const char *name)
{
    size_t len = strlen(name);

    for (size_t i = 0; i < n; i++)
        if (attrs[i].name.len == len && memcmp(attrs[i].name.bytes, name, len) == 0)
            return &attrs[i].value;
    return NULL;
}
