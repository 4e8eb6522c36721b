/* work_names.c: classifies events by name: kinds of work, and calls and Python frames that wait. */
#include "load/slices/work_names.h"

#include <ctype.h>
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

/* ---- parts of names */

/* T up to END. */
static struct text head_of(struct text t, const char *end)
{
    return (struct text){t.bytes, (uint32_t)(end - t.bytes)};
}

static struct text tail_of(struct text t, const char *from)
{
    return (struct text){from, (uint32_t)(t.bytes + t.len - from)};
}

static bool begins(struct text t, const char *with, size_t n)
{
    return t.len >= n && memcmp(t.bytes, with, n) == 0;
}

/* Removes the first matching prefix from T; WORDS are separated by '|'.  False if none matches. */
static bool skip_prefix(struct text *t, const char *words)
{
    while (*words) {
        const size_t n = strcspn(words, "|");

        if (begins(*t, words, n)) {
            *t = tail_of(*t, t->bytes + n);
            return true;
        }
        words += n + (words[n] == '|');
    }
    return false;
}

/* True when T is one of WORDS, separated by '|'; "X*" matches a prefix X, "*X" a suffix X. */
static bool is_one(struct text t, const char *words)
{
    while (*words) {
        const size_t n = strcspn(words, "|");

        if (n == t.len && memcmp(words, t.bytes, n) == 0)
            return true;
        if (words[n - 1] == '*' && begins(t, words, n - 1))
            return true;
        if (words[0] == '*' && t.len >= n - 1 &&
            memcmp(t.bytes + t.len - (n - 1), words + 1, n - 1) == 0)
            return true;
        words += n + (words[n] == '|');
    }
    return false;
}

/* Removes the prefix "_v2" from T. */
static void skip_version(struct text *t)
{
    uint32_t n = 2;

    if (!begins(*t, "_v", 2))
        return;
    while (n < t->len && isdigit((unsigned char)t->bytes[n]))
        n++;
    if (n == 2)
        return;
    *t = tail_of(*t, t->bytes + n);
}

/* ---- calls */

static bool is_synchronize(struct text t)
{
    if (!skip_prefix(&t, "cuda|hip|cu") || !skip_prefix(&t, "Device|Stream|Event|Ctx|Context|Thread") ||
        !skip_prefix(&t, "Synchronize"))
        return false;
    if (!skip_prefix(&t, "_ptsz"))
        skip_version(&t);
    return !t.len;
}

/* Matches cudaMemcpy, hipMemcpyToSymbol, cudaMemcpy2D_ptds. */
static bool is_runtime_copy(struct text t)
{
    if (!skip_prefix(&t, "cuda|hip") || !skip_prefix(&t, "Memcpy"))
        return false;
    skip_prefix(&t, "2D|3D|ToArray|ToSymbol|FromArray|FromSymbol|Peer|Parameter3D");
    skip_prefix(&t, "_ptds");
    return !t.len;
}

/* Matches cuMemcpyDtoH_v2, hipMemcpyHtoD. */
static bool is_driver_copy(struct text t)
{
    if (!skip_prefix(&t, "cu|hip") || !skip_prefix(&t, "Memcpy"))
        return false;
    skip_prefix(&t, "HtoD|DtoH|DtoD|HtoA|AtoH|DtoA|AtoD|AtoA|2DUnaligned|2D|3D|Peer");
    skip_version(&t);
    skip_prefix(&t, "_ptds");
    return !t.len;
}

static bool is_level_zero_wait(struct text t)
{
    return skip_prefix(&t, "ze") && skip_prefix(&t, "Event|Fence|CommandQueue|CommandList") &&
           skip_prefix(&t, "HostSynchronize|Synchronize") && !t.len;
}

bool call_name_blocks(const char *name, size_t len)
{
    const struct text t = {name, (uint32_t)len};

    return is_synchronize(t) || is_runtime_copy(t) || is_driver_copy(t) || is_level_zero_wait(t) ||
           is_one(t, "hipMemcpyWithStream|urQueueFinish|urEventWait|synchronize|synchronizeStream|"
                     "synchronizeEvent|BlockHostUntilReady|BlockUntilReady") ||
           text_ends(t, "(wait for completion)") || text_ends(t, "Await");
}

bool call_name_is_async_copy(const char *name, size_t len)
{
    struct text t = {name, (uint32_t)len};

    if (!skip_prefix(&t, "cuda|hip|cu") || !skip_prefix(&t, "Memcpy"))
        return false;
    for (size_t i = 0; i < t.len; i++)
        if (!isalnum((unsigned char)t.bytes[i]) && t.bytes[i] != '_')
            return false;
    return memmem(t.bytes, t.len, "Async", 5) != NULL;
}

/* ---- frames */

/* Waiting functions of the standard library, by file name. */
static const struct {
    const char *file, *functions;
} sleeping_functions[] = {
    {"threading.py", "wait|join|acquire|_wait_for_tstate_lock"},
    {"queue.py", "get|put|join"},
    {"selectors.py", "select"},
    {"connection.py", "wait|poll|_poll|recv|recv_bytes|_recv|_recv_bytes"},
    {"subprocess.py", "wait|_wait|_try_wait|communicate"},
    {"socket.py", "accept|recv|recv_into|readinto"},
    {"popen_fork.py", "wait|poll"},
    {"synchronize.py", "wait|acquire|__enter__"},
};

/* Waiting methods of built-in objects, by type. */
static const struct {
    const char *methods, *objects;
} sleeping_methods[] = {
    {"acquire|acquire_lock|__enter__", "_thread.RLock|_multiprocessing.SemLock"},
    {"poll|control", "select.*"},
    {"accept|recv|recv_into|recvfrom", "socket.socket"},
    {"get", "_queue.SimpleQueue"},
    {"run_backward", "torch._C._EngineBase"},
    {"synchronize", "*"},
    {"wait", "*Work|*Future"},
};

static bool is_lock(struct text object)
{
    return begins(object, "_thread.", 8) && object.len >= 12 && text_ends(object, "lock");
}

/* Matches "acquire of _thread.lock object at 0x7f25>". */
static bool method_sleeps(struct text t)
{
    const char *of = memmem(t.bytes, t.len, " of ", 4);
    struct text method, object;
    const char *end;

    if (!of)
        return false;
    method = head_of(t, of);
    object = tail_of(t, of + 4);
    end = memmem(object.bytes, object.len, " object", 7);
    if (!end)
        return false;
    object = head_of(object, end);
    for (size_t i = 0; i < sizeof sleeping_methods / sizeof *sleeping_methods; i++)
        if (is_one(method, sleeping_methods[i].methods) &&
            (is_one(object, sleeping_methods[i].objects) || (i == 0 && is_lock(object))))
            return true;
    return false;
}

static bool built_in_sleeps(struct text t)
{
    if (skip_prefix(&t, "<built-in method "))
        return method_sleeps(t);
    return skip_prefix(&t, "<built-in function ") && t.len && t.bytes[t.len - 1] == '>' &&
           is_one((struct text){t.bytes, t.len - 1},
                  "sleep|select|wait|waitpid|wait4|futex|epoll_wait|_cuda_synchronize");
}

/* Matches "/usr/lib/python3.8/threading.py(302): wait". */
static bool function_sleeps(struct text t)
{
    const char *end = memmem(t.bytes, t.len, "): ", 3);
    const char *open = end, *slash;
    struct text file, function;

    while (open && open > t.bytes && *open != '(')
        open--;
    if (!open || open == t.bytes)
        return false;
    function = tail_of(t, end + 3);
    file = head_of(t, open);
    slash = memrchr(file.bytes, '/', file.len);
    if (slash)
        file = tail_of(file, slash + 1);
    for (size_t i = 0; i < sizeof sleeping_functions / sizeof *sleeping_functions; i++)
        if (is_one(file, sleeping_functions[i].file))
            return is_one(function, sleeping_functions[i].functions);
    return false;
}

bool frame_name_sleeps(const char *name, size_t len)
{
    const struct text t = {name, (uint32_t)len};

    return len && (name[0] == '<' ? built_in_sleeps(t) : function_sleeps(t));
}
