/* vec.h: growing arrays of any one type.
 *
 *     VEC(int) v = {0};
 *     vec_push(&v, 7);           v.data[0], v.n
 *     vec_done(&v);
 *
 * A zeroed vec is empty and ready.  data moves when the vec grows. */
#pragma once

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "base/macros.h"
#include "base/stable_sort.h"

#define VEC(type)         \
    struct {              \
        type *data;       \
        size_t n;         \
        size_t capacity;  \
    }

/* Grows DATA to at least N elements of SIZE_BYTES, by at least half of its capacity (exactly to N
 * with the address sanitizer). Returns the array and sets *CAPACITY. Private to the macros
 * below. */
void *vec_grow(void *data, size_t *capacity, size_t n, size_t size_bytes);
/* Shrinks DATA to N elements. Never returns NULL. Private. */
void *vec_shrink(void *data, size_t *capacity, size_t n, size_t size_bytes);

/* Reserves room for N elements in total. Does not change v->n. */
#define vec_reserve(v, count)                                                            \
    do {                                                                                 \
        if ((count) > (v)->capacity)                                                     \
            (v)->data = vec_grow((v)->data, &(v)->capacity, (count), sizeof *(v)->data); \
    } while (0)

/* VALUE is evaluated after the vec has grown: it must not refer to the elements of V. */
#define vec_push(v, value)             \
    do {                               \
        vec_reserve((v), (v)->n + 1);  \
        (v)->data[(v)->n++] = (value); \
    } while (0)

/* Sets v->n to COUNT. New elements are zero. */
#define vec_resize_zero(v, count)                                                              \
    do {                                                                                       \
        size_t vec_want_ = (count);                                                            \
        vec_reserve((v), vec_want_);                                                           \
        if (vec_want_ > (v)->n)                                                                \
            memset((v)->data + (v)->n, 0, (vec_want_ - (v)->n) * sizeof *(v)->data);           \
        (v)->n = vec_want_;                                                                    \
    } while (0)

/* Copies FROM to the empty TO of the same type. */
#define vec_copy(to, from)                                                          \
    do {                                                                            \
        vec_reserve((to), (from)->n);                                               \
        if ((from)->n)                                                              \
            memcpy((to)->data, (from)->data, (from)->n * sizeof *(to)->data);       \
        (to)->n = (from)->n;                                                        \
    } while (0)

/* Releases unused capacity. data is not NULL afterwards, even for an empty vec. */
#define vec_fit(v)                                                                         \
    do {                                                                                   \
        (v)->data = vec_shrink((v)->data, &(v)->capacity, (v)->n, sizeof *(v)->data);      \
    } while (0)

/* Pointer to element FIRST; NULL if the vec has no data, because NULL + FIRST is undefined. */
#define vec_from(v, first) ((v)->data ? (v)->data + (first) : NULL)

/* Loops over the elements of V, which must not grow meanwhile: `vec_each(const struct t, x, &v)`. */
#define vec_each(type, x, v)                                                           \
    for (type *x = (v)->data, *x##_end = vec_from((v), (v)->n); x != x##_end; x++)

/* The same for N elements at ITEMS. */
#define array_each(type, x, items, n) \
    for (type *x = (items), *x##_end = x ? x + (n) : x; x != x##_end; x++)

/* Sorts the elements, see stable_sort.h. */
#define vec_sort(v, compare) stable_sort_array((v)->data, (v)->n, sizeof *(v)->data, (compare))

/* Keeps the elements of V for whose index I CONDITION is true. */
#define vec_keep(v, i, condition)                              \
    do {                                                       \
        size_t vec_kept_ = 0;                                  \
        for (size_t i = 0; i < (v)->n; i++)                    \
            if (condition)                                     \
                (v)->data[vec_kept_++] = (v)->data[i];         \
        (v)->n = vec_kept_;                                    \
    } while (0)

/* Merges adjacent elements: while IS_SAME is true of LAST, the last one kept, and NEXT, pointers to
 * elements, NEXT is dropped after the statement JOIN. */
#define vec_merge(v, last, next, is_same, join)                                         \
    do {                                                                                \
        size_t vec_kept_ = 0;                                                           \
        for (size_t vec_at_ = 0; vec_at_ < (v)->n; vec_at_++) {                         \
            __typeof__((v)->data) last = (v)->data + (vec_kept_ ? vec_kept_ - 1 : 0);   \
            const __typeof__(*(v)->data) *next = (v)->data + vec_at_;                   \
            if (vec_kept_ && (is_same)) {                                               \
                join;                                                                   \
            } else {                                                                    \
                (v)->data[vec_kept_++] = *next;                                         \
            }                                                                           \
        }                                                                               \
        (v)->n = vec_kept_;                                                             \
    } while (0)

/* Like qsort_r(). */
#define vec_sort_arg(v, compare, arg)                                            \
    do {                                                                         \
        if ((v)->n)                                                              \
            qsort_r((v)->data, (v)->n, sizeof *(v)->data, (compare), (arg));     \
    } while (0)

#define vec_done(v)          \
    do {                     \
        free((v)->data);     \
        (v)->data = NULL;    \
        (v)->n = 0;          \
        (v)->capacity = 0;   \
    } while (0)
