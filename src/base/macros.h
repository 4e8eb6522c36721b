/* macros.h: unused parameters, one call per argument, running minimum and maximum. */
#pragma once

/* Marks a parameter that a function does not read; an interface demands it. */
#define UNUSED __attribute__((unused))

/* Sets X to the larger, or the smaller, of X and Y. */
#define KEEP_MAX(x, y) ((x) = (y) > (x) ? (y) : (x))
#define KEEP_MIN(x, y) ((x) = (y) < (x) ? (y) : (x))

/* EACH(f, a, b, c) is f(a); f(b); f(c); for 2 to 12 arguments and any function or macro F. */
#define EACH(f, ...)                                                                            \
    do {                                                                                        \
        EACH_COUNT(__VA_ARGS__, EACH_12, EACH_11, EACH_10, EACH_9, EACH_8, EACH_7, EACH_6,      \
                   EACH_5, EACH_4, EACH_3, EACH_2, EACH_1, 0)(f, __VA_ARGS__)                   \
    } while (0)
#define EACH_COUNT(a, b, c, d, e, f, g, h, i, j, k, l, each, ...) each
#define EACH_1(f, a) f(a);
#define EACH_2(f, a, ...) f(a); EACH_1(f, __VA_ARGS__)
#define EACH_3(f, a, ...) f(a); EACH_2(f, __VA_ARGS__)
#define EACH_4(f, a, ...) f(a); EACH_3(f, __VA_ARGS__)
#define EACH_5(f, a, ...) f(a); EACH_4(f, __VA_ARGS__)
#define EACH_6(f, a, ...) f(a); EACH_5(f, __VA_ARGS__)
#define EACH_7(f, a, ...) f(a); EACH_6(f, __VA_ARGS__)
#define EACH_8(f, a, ...) f(a); EACH_7(f, __VA_ARGS__)
#define EACH_9(f, a, ...) f(a); EACH_8(f, __VA_ARGS__)
#define EACH_10(f, a, ...) f(a); EACH_9(f, __VA_ARGS__)
#define EACH_11(f, a, ...) f(a); EACH_10(f, __VA_ARGS__)
#define EACH_12(f, a, ...) f(a); EACH_11(f, __VA_ARGS__)
