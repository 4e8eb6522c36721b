/* kernel_name.c: short names of kernels. */
#include "activity/kernel_name.h"

#include <stdbool.h>
#include <string.h>

static struct text cut_front(struct text t, uint32_t n)
{
    return (struct text){t.bytes + n, t.len - n};
}

/* Index of WORD in T from AT on; T.len if it is not found. */
static uint32_t find(struct text t, uint32_t at, const char *word)
{
    while (at < t.len && !text_begins(cut_front(t, at), word))
        at++;
    return at;
}

/* ---- names that libraries generate */

/* "Cijk_Alik_Bljk_BBS_MT256x192x64": the first four fields and the tile. */
static void add_tensile(struct strbuf *sb, struct text name)
{
    uint32_t at = 0, n_fields = 0;

    while (at < name.len && (name.bytes[at] != '_' || ++n_fields < 4))
        at++;
    sb_add(sb, name.bytes, at);
    for (at = find(name, at, "_MT"); at < name.len; at = find(name, at + 1, "_MT")) {
        uint32_t end = at + 3;

        while (end < name.len && name.bytes[end] != '_')
            end++;
        if (end > at + 3 && is_digit(name.bytes[at + 3])) {
            sb_add(sb, name.bytes + at, end - at);
            return;
        }
    }
}

static struct text without_number(struct text name)
{
    struct text t = name;

    while (t.len && is_digit(t.bytes[t.len - 1]))
        t.len--;
    if (t.len == name.len || !t.len || t.bytes[t.len - 1] != '_')
        return name;
    t.len--;
    return t;
}

static bool is_xmma(struct text name)
{
    uint32_t at = 2;

    if (!text_begins(name, "sm"))
        return false;
    while (at < name.len && is_digit(name.bytes[at]))
        at++;
    return at > 2 && text_begins(cut_front(name, at), "_xmma_");
}

static struct text xmma_name(struct text name)
{
    static const char *const ends[] = {"_warpgroupsize", "_stage", "_execute", "_kernel"};

    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++)
        name.len = find(name, 0, ends[i]);
    return name;
}

/* Name with the tile as its last field; empty if it has no tile. */
static struct text igemm_name(struct text name)
{
    uint32_t at = find(name, 0, "_bt");

    if (name.len - at < 4 || !is_digit(name.bytes[at + 3]))
        return (struct text){name.bytes, 0};
    at += 3;
    while (at < name.len && name.bytes[at] != '_')
        at++;
    name.len = at;
    return name;
}

/* True if NAME has the form of a library's generated kernels; its short name is then appended. */
static bool add_generated(struct strbuf *sb, struct text name)
{
    struct text shorter = {name.bytes, 0};

    if (text_begins(name, "Memcpy ")) {
        shorter.len = 7;
        while (shorter.len < name.len && name.bytes[shorter.len] != ' ')
            shorter.len++;
    } else if (text_begins(name, "Memset")) {
        shorter.len = 6;
    } else if (text_begins(name, "Cijk_")) {
        add_tensile(sb, name);
        return true;
    } else if (text_begins(name, "triton_")) {
        shorter = without_number(name);
    } else if (is_xmma(name)) {
        shorter = xmma_name(name);
    } else if (text_begins(name, "igemm_")) {
        shorter = igemm_name(name);
    }
    sb_add(sb, shorter.bytes, shorter.len);
    return shorter.len > 0;
}

/* ---- wrappers: functions whose template argument is the kernel */

static bool is_wrapper(struct text base, bool is_cutlass)
{
    return text_is(base, "kentry") ||
           (is_cutlass && (text_is(base, "Kernel") || text_is(base, "Kernel2") ||
                           text_is(base, "device_kernel")));
}

/* "gfx9_t": an architecture. */
static bool is_architecture(struct text name)
{
    return text_begins(name, "gfx") && text_ends(name, "_t");
}

/* ---- mangled names */

/* The source names of a nested name (Itanium C++ ABI). */
struct nested {
    struct text last;
    bool is_cutlass; /* a component before the last contains "cutlass" */
};

/* The source name at *AT, which begins with its length; advances *AT past it. */
static struct text source_name(struct text name, uint32_t *at)
{
    uint32_t len = 0;
    struct text found;

    for (; *at < name.len && is_digit(name.bytes[*at]); ++*at)
        if (len <= name.len)
            len = len * 10 + (uint32_t)(name.bytes[*at] - '0');
    if (len > name.len - *at)
        len = name.len - *at;
    found = (struct text){name.bytes + *at, len};
    *at += len;
    return found;
}

/* Advances *AT past a substitution: S_, S0_, St. */
static void skip_substitution(struct text name, uint32_t *at)
{
    ++*at;
    if (*at < name.len && name.bytes[*at] >= 'a' && name.bytes[*at] <= 'z') {
        ++*at;
        return;
    }
    while (*at < name.len && name.bytes[*at] != '_' && is_word_char(name.bytes[*at]))
        ++*at;
    if (*at < name.len)
        ++*at;
}

/* The names from *AT up to the first template argument. */
static struct nested nested_name(struct text name, uint32_t *at)
{
    struct nested n = {{name.bytes, 0}, false};

    while (*at < name.len) {
        const char c = name.bytes[*at];
        struct text part;

        if (c == 'S') {
            skip_substitution(name, at);
        } else if (c == 'N' || c == 'K' || c == 'L') {
            ++*at;
        } else if (is_digit(c)) {
            part = source_name(name, at);
            if (text_begins(part, "_GLOBAL__N_"))
                continue;
            n.is_cutlass |= find(n.last, 0, "cutlass") < n.last.len;
            n.last = part;
        } else {
            break;
        }
    }
    return n;
}

/* Last component of the first nested name among the template arguments from AT on; empty: none. */
static struct text nested_argument(struct text name, uint32_t at)
{
    while (at < name.len) {
        const char c = name.bytes[at];

        if (c == 'N') {
            const struct nested n = nested_name(name, &at);

            if (n.last.len && !is_architecture(n.last))
                return n.last;
        } else if (c == 'L') {
            at = find(name, at, "E");
        } else if (is_digit(c)) {
            source_name(name, &at);
        } else if (c == 'S') {
            skip_substitution(name, &at);
        } else {
            at++;
        }
    }
    return (struct text){name.bytes, 0};
}

static void add_mangled(struct strbuf *sb, struct text name)
{
    uint32_t at = 2;
    const struct nested n = nested_name(name, &at);
    struct text argument = {name.bytes, 0};

    if (is_wrapper(n.last, n.is_cutlass))
        argument = nested_argument(name, at);
    if (argument.len)
        sb_add(sb, argument.bytes, argument.len);
    else
        sb_add(sb, n.last.bytes, n.last.len);
}

/* ---- functions of C++ */

/* A C++ function name without return type and parameters. */
struct function {
    struct text base;      /* last component of its name */
    struct text two;       /* the last two components; of a single component the base */
    struct text arguments; /* template arguments of the base; empty: none */
    bool is_cutlass;       /* a namespace contains "cutlass" */
};

/* The nesting depth of angle brackets after character AT; the arrow of a return type is ignored. */
static uint32_t depth_after(struct text t, uint32_t at, uint32_t depth)
{
    if (t.bytes[at] == '<')
        return depth + 1;
    return t.bytes[at] == '>' && depth && (!at || t.bytes[at - 1] != '-') ? depth - 1 : depth;
}

/* NAME without its return type and its parameters. */
static struct text without_types(struct text name)
{
    uint32_t depth = 0, first = 0, end = 0;

    for (; end < name.len && (depth || name.bytes[end] != '('); end++)
        depth = depth_after(name, end, depth);
    while (end && name.bytes[end - 1] == ' ')
        end--;
    depth = 0;
    for (uint32_t i = 0; i < end; i++) {
        depth = depth_after(name, i, depth);
        if (!depth && name.bytes[i] == ' ')
            first = i + 1;
    }
    return (struct text){name.bytes + first, end - first};
}

/* Adds the component [FIRST, END), whose template arguments begin at ANGLE. */
static void add_component(struct function *f, struct text name, uint32_t first, uint32_t angle,
                          uint32_t end)
{
    const struct text before = f->base;

    if (before.len)
        f->is_cutlass |= find(before, 0, "cutlass") < before.len;
    f->base = (struct text){name.bytes + first, angle - first};
    f->arguments = angle < end ? (struct text){name.bytes + angle + 1, end - angle - 1}
                               : (struct text){name.bytes, 0};
    f->two = f->base;
    if (before.len)
        f->two = before;
}

static struct function function_of(struct text name)
{
    struct function f = {{name.bytes, 0}, {name.bytes, 0}, {name.bytes, 0}, false};
    uint32_t depth = 0, first = 0, angle = UINT32_MAX;

    name = without_types(name);
    for (uint32_t i = 0; i < name.len; i++) {
        if (!depth && name.bytes[i] == '<' && angle == UINT32_MAX)
            angle = i;
        depth = depth_after(name, i, depth);
        if (depth || !text_begins(cut_front(name, i), "::"))
            continue;
        add_component(&f, name, first, angle < i ? angle : i, i);
        first = i + 2;
        angle = UINT32_MAX;
        i++;
    }
    add_component(&f, name, first, angle < name.len ? angle : name.len, name.len);
    return f;
}

/* Last component of the name ARGUMENT, without template arguments; empty if it is not a name. */
static struct text argument_name(struct text argument, bool must_be_qualified)
{
    struct function f;

    while (argument.len && argument.bytes[0] == ' ')
        argument = cut_front(argument, 1);
    f = function_of(argument);
    if (!f.base.len || !is_word_char(f.base.bytes[0]) || is_digit(argument.bytes[0]) ||
        is_architecture(f.base) || (must_be_qualified && f.two.bytes == f.base.bytes))
        f.base.len = 0;
    return f.base;
}

/* The kernel that the wrapper F has as template argument; empty: none. */
static struct text wrapped_name(const struct function *f)
{
    const bool must_be_qualified = text_is(f->base, "kentry");
    const struct text all = f->arguments;
    uint32_t depth = 0, first = 0;

    for (uint32_t i = 0; i <= all.len; i++) {
        const bool ends = i == all.len || (!depth && (all.bytes[i] == ',' || all.bytes[i] == '>'));
        struct text name;

        if (!ends) {
            depth = depth_after(all, i, depth);
            continue;
        }
        name = argument_name((struct text){all.bytes + first, i - first}, must_be_qualified);
        if (name.len)
            return name;
        first = i + 1;
    }
    return (struct text){all.bytes, 0};
}

/* ---- elementwise kernels of ATen: what they compute is a template argument */

static bool is_aten_wrapper(struct text base)
{
    static const char *const names[] = {
        "elementwise_kernel", "elementwise_kernel_manual_unroll", "elementwise_kernel_with_index",
        "vectorized_elementwise_kernel", "vectorized_templated_elementwise_kernel",
        "unrolled_elementwise_kernel", "index_elementwise_kernel", "reduce_kernel",
        "multi_tensor_apply_kernel", "distribution_elementwise_grid_stride_kernel"};

    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (text_is(base, names[i]))
            return true;
    return false;
}

/* The part of the identifier WORD that names the operation; empty: none. */
static struct text operation_of(struct text word)
{
    static const char *const fronts[] = {"CUDAFunctor_", "CUDAFunctorOnSelf_",
                                         "CUDAFunctorOnOther_", "launch_"};
    static const char *const tails[] = {"Functor", "_functor", "_kernel_cuda", "_kernel_impl",
                                        "_cuda_kernel", "_kernel", "Ops"};
    static const char *const others[] = {"BinaryFunctor", "UnaryFunctor", "AUnaryFunctor",
                                         "BUnaryFunctor", "gpu_kernel_impl"};

    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        if (text_is(word, others[i]))
            return (struct text){word.bytes, 0};
    for (size_t i = 0; i < 3; i++)
        if (text_begins(word, fronts[i]))
            return cut_front(word, (uint32_t)strlen(fronts[i]));
    for (size_t i = 0; i < sizeof tails / sizeof *tails; i++)
        if (text_ends(word, tails[i]))
            return (struct text){word.bytes, word.len - (uint32_t)strlen(tails[i])};
    if (text_begins(word, fronts[3]))
        return cut_front(word, (uint32_t)strlen(fronts[3]));
    return (struct text){word.bytes, 0};
}

static void add_aten(struct strbuf *sb, const struct function *f)
{
    const struct text all = f->arguments;

    sb_add(sb, f->base.bytes, f->base.len);
    for (uint32_t i = 0, first = 0; i < all.len; i = first = i + 1) {
        struct text operation;

        while (i < all.len && is_word_char(all.bytes[i]))
            i++;
        operation = operation_of((struct text){all.bytes + first, i - first});
        if (operation.len) {
            sb_addc(sb, '<');
            sb_add(sb, operation.bytes, operation.len);
            sb_addc(sb, '>');
            return;
        }
    }
}

static void add_function(struct strbuf *sb, struct text name)
{
    const struct function f = function_of(name);
    struct text wrapped = {name.bytes, 0};

    if (is_wrapper(f.base, f.is_cutlass))
        wrapped = wrapped_name(&f);
    if (wrapped.len) {
        sb_add(sb, wrapped.bytes, wrapped.len);
    } else if (is_aten_wrapper(f.base)) {
        add_aten(sb, &f);
    } else if ((text_is(f.base, "kernel") || text_is(f.base, "Kernel")) &&
               f.two.bytes != f.base.bytes) {
        sb_add(sb, f.two.bytes, f.two.len);
        sb_adds(sb, "::");
        sb_add(sb, f.base.bytes, f.base.len);
    } else {
        sb_add(sb, f.base.bytes, f.base.len);
    }
}

/* ---- all names */

/* Removes suffixes that compilers append. */
static struct text without_suffix(struct text name)
{
    const uint32_t clone = find(name, 0, " [clone ");

    if (clone < name.len && name.bytes[name.len - 1] == ']')
        name.len = clone;
    if (text_ends(name, ".kd"))
        name.len -= 3;
    return name;
}

static struct text without_extra_key(struct text name)
{
    const struct text t = without_number(name);

    return t.len < name.len && text_ends(t, "-extraKey")
               ? (struct text){t.bytes, t.len - (uint32_t)strlen("-extraKey")}
               : name;
}

/* Appends NAME without anonymous namespaces. */
static void add_without_anonymous(struct strbuf *sb, struct text name)
{
    static const char anonymous[] = "(anonymous namespace)::";

    for (uint32_t i = 0; i < name.len;) {
        const uint32_t at = find(name, i, anonymous);

        sb_add(sb, name.bytes + i, at - i);
        i = at < name.len ? at + (uint32_t)strlen(anonymous) : at;
    }
}

void kernel_name_add(struct strbuf *sb, struct text name)
{
    const size_t before = sb->len;
    const struct text bare = without_suffix(name);
    struct strbuf function = {0};

    if (text_begins(name, "[")) { /* "[CUDA memcpy Host-to-Device]" */
        sb_add(sb, name.bytes, name.len);
        return;
    }
    if (!add_generated(sb, bare)) {
        const struct text key = without_extra_key(bare);

        if (text_begins(key, "_Z")) {
            add_mangled(sb, key);
        } else {
            add_without_anonymous(&function, key);
            add_function(sb, (struct text){sb_text(&function), (uint32_t)function.len});
        }
    }
    if (sb->len == before)
        sb_add(sb, name.bytes, name.len);
    sb_done(&function);
}
