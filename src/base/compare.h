/* compare.h: comparisons for qsort() and vec_sort(). */
#pragma once

/* Negative, 0 or positive, as A is below, equal to or above B. */
#define COMPARE(a, b) ((a) < (b) ? -1 : (a) > (b))

/* Defines NAME, which compares values of TYPE, ascending. */
#define COMPARE_VALUES(name, type)                                     \
    static int name(const void *first_value, const void *second_value) \
    {                                                                  \
        const type *a = first_value, *b = second_value;                \
                                                                       \
        return COMPARE(*a, *b);                                        \
    }

/* Defines NAME, which compares records of TYPE by a member, ascending. */
#define COMPARE_BY(name, type, member)                                 \
    static int name(const void *first_value, const void *second_value) \
    {                                                                  \
        const type *a = first_value, *b = second_value;                \
                                                                       \
        return COMPARE(a->member, b->member);                          \
    }

/* The same by a second member where the first is equal. */
#define COMPARE_BY_TWO(name, type, member, other)                      \
    static int name(const void *first_value, const void *second_value) \
    {                                                                  \
        const type *a = first_value, *b = second_value;                \
        const int order = COMPARE(a->member, b->member);               \
                                                                       \
        return order ? order : COMPARE(a->other, b->other);            \
    }

/* Defines NAME, which compares records of TYPE by the members in CHAIN, each where those before it are
 * equal: UP(step) || DOWN(dur_ps) || THEN(strcmp(a->name, b->name)). */
#define COMPARE_CHAIN(name, type, chain)                               \
    static int name(const void *first_value, const void *second_value) \
    {                                                                  \
        const type *a = first_value, *b = second_value;                \
        int order = 0;                                                 \
                                                                       \
        return (chain) ? order : 0;                                    \
    }
/* The same for lists of pointers to TYPE. */
#define COMPARE_POINTERS(name, type, chain)                                                     \
    static int name(const void *first_value, const void *second_value)                          \
    {                                                                                           \
        const type *a = *(const type *const *)first_value, *b = *(const type *const *)second_value; \
        int order = 0;                                                                          \
                                                                                                \
        return (chain) ? order : 0;                                                             \
    }
/* The same for qsort_r() and vec_sort_arg(): CHAIN may read the context, WITH. */
#define COMPARE_WITH(name, type, context, chain)                                    \
    static int name(const void *first_value, const void *second_value, void *given) \
    {                                                                               \
        const type *a = first_value, *b = second_value;                             \
        const context *with = given;                                                \
        int order = 0;                                                              \
                                                                                    \
        return (chain) ? order : 0;                                                 \
    }
#define UP(member) ((order = COMPARE(a->member, b->member)) != 0)
#define DOWN(member) ((order = COMPARE(b->member, a->member)) != 0)
#define THEN(comparison) ((order = (comparison)) != 0)
