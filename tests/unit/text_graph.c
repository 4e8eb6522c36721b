/* text_graph.c: a text is loaded from memory. */
#include "text_graph.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cmocka.h>

struct profile *text_graph(const char *const *texts, enum functions_mode functions)
{
    const struct cancel_mark never = {0};
    const int fd = memfd_create("graph", MFD_CLOEXEC);
    struct err err = {0};
    struct profile *p;
    char path[32];

    assert_true(fd >= 0);
    for (; *texts; texts++)
        assert_int_equal(write(fd, *texts, strlen(*texts)), strlen(*texts));
    snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
    p = load_profile(&(struct load_request){.graph_path = path, .functions = functions}, NULL,
                     never, &err);
    if (!p)
        fail_msg("%s", err_text(&err));
    close(fd);
    return p;
}

node_id text_graph_node(const struct profile *p, const char *name)
{
    const node_id node = profile_find(p, name, strlen(name));

    if (node == NODE_NONE)
        fail_msg("no node %s", name);
    return node;
}
