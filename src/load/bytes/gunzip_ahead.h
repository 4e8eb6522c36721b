/* gunzip_ahead.h: inflates later members of gzip data on other threads, before it is known where they
 * begin.  A thread starts at bytes that look like the header of a member; what it inflated is used only
 * if a member ends there.  Memory: 8 MB for each thread, or in total as much as the packed data. */
#pragma once

#include "load/bytes/gunzip.h"

struct inflater; /* load/bytes/inflater.h */
struct gunzip_ahead;

/* The distance of starts in the packed data: enough to make thread switches cheap. */
enum { GUNZIP_STRIDE_BYTES = 256 << 10 };

/* Starts threads for the LEN bytes of PACKED, which must live until gunzip_ahead_free(): N_THREADS
 * including the caller of gunzip().  NULL when the data are too short, or there is no memory or thread. */
struct gunzip_ahead *gunzip_ahead_new(const unsigned char *packed, size_t len, unsigned n_threads,
                                      size_t stride_bytes);
void gunzip_ahead_free(struct gunzip_ahead *a); /* NULL is fine */

/* For an inflater at the end of a member: adds to OUT what was inflated from there on, and replaces *I
 * by the inflater that continues.  False, with both unchanged, if there is none, or if OUT, whose
 * capacity is its limit, may become full.  Only the caller of gunzip() may call it. */
bool gunzip_ahead_take(struct gunzip_ahead *a, struct inflater **i, byte_vec *out);
