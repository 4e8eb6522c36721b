/* short_name.c: the name of a row relative to its parent. */
#include "export/rows/short_name.h"

#include <string.h>

struct text row_short_name(const struct result *r, row_id row)
{
    struct text name = tree_text(r->tree, row);
    const row_id parent = r->shown_parent[row];
    struct text scope;

    if (r->view_id != VIEW_SCOPE || row == 0 || parent == ROW_NONE || parent == 0)
        return name;
    scope = tree_text(r->tree, parent);
    if (name.len > scope.len + 1 && memcmp(name.bytes, scope.bytes, scope.len) == 0) {
        name.bytes += scope.len + 1;
        name.len -= scope.len + 1;
    }
    return name;
}
