/* work_names.c: classifies events by name. */
#include "load/slices/work_names.h"

#include <string.h>
#include <strings.h>

#include "base/text.h"

enum { CASE_BIT = 0x20 }; /* the case bit of ASCII letters */

/* True if NAME contains WHAT, ignoring case; WHAT begins with a letter. */
static bool holds_any_case(const char *name, size_t len, const char *what)
{
    const size_t n = strlen(what);
    const int first = *what | CASE_BIT;

    for (size_t i = 0; i + n <= len; i++)
        if ((name[i] | CASE_BIT) == first && strncasecmp(name + i, what, n) == 0)
            return true;
    return false;
}

static bool begins_any_case(const char *name, size_t len, const char *what)
{
    return len >= strlen(what) && strncasecmp(name, what, strlen(what)) == 0;
}

bool work_name_is_communication(const char *name, size_t len)
{
    static const char *const anywhere[] = {"nccl",   "rccl",        "oneccl",
                                           "cross_device_reduce", "quickreduce", "quick_reduce"};

    for (size_t i = 0; i < sizeof anywhere / sizeof *anywhere; i++)
        if (holds_any_case(name, len, anywhere[i]))
            return true;
    return begins_any_case(name, len, "hccl") || begins_any_case(name, len, "mscclpp") ||
           begins_any_case(name, len, "void mscclpp");
}

static bool holds_one(const char *name, size_t len, const char *const *list, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (memmem(name, len, list[i], strlen(list[i])))
            return true;
    return false;
}

bool work_name_is_copy(const char *name, size_t len)
{
    static const char *const list[] = {"Memcpy",     "MEMCPY",     "CopyDeviceTo", "CopyHostTo",
                                       "CopyArrayTo", "copyBuffer", "MEMORY_COPY_"};

    return holds_one(name, len, list, sizeof list / sizeof *list);
}

bool work_name_is_memset(const char *name, size_t len)
{
    static const char *const list[] = {"Memset", "MEMSET", "fillBuffer"};

    return holds_one(name, len, list, sizeof list / sizeof *list);
}

bool call_name_is_sync(const char *name, size_t len)
{
    static const char *const list[] = {"Synchronize", "BlockHostUntilReady", "BlockUntilReady"};

    return holds_one(name, len, list, sizeof list / sizeof *list);
}

bool call_name_is_collective(const char *name, size_t len)
{
    return ((len > 5 && memcmp(name, "gloo:", 5) == 0) || (len > 4 && memcmp(name, "mpi:", 4) == 0)) &&
           !memmem(name, len, "send", 4) && !memmem(name, len, "recv", 4);
}

bool call_name_is_launch(const char *name, size_t len)
{
    static const char *const list[] = {"Launch", "launch", "Memcpy", "Memset"};

    return holds_one(name, len, list, sizeof list / sizeof *list);
}

bool name_is_input(const char *name, size_t len)
{
    static const char word[] = "prefetch";
    const size_t n = sizeof word - 1;

    if (holds_any_case(name, len, "DataLoader") || holds_any_case(name, len, "Iterator::") ||
        holds_any_case(name, len, "IteratorGetNext"))
        return true;
    for (size_t i = 0; i + n <= len; i++)
        if ((!i || !is_letter(name[i - 1])) && strncasecmp(name + i, word, n) == 0)
            return true;
    return false;
}
