/* capture_files.h: finds graph captures next to traces, and facts about them without opening them
 * (formats-trace.md section 11). */
#pragma once

#include "load/replay/captured.h"

/* An entry of an execution_details.json. */
struct listed_capture {
    char *path, *mode; /* heap; mode NULL if not stated */
    int64_t size;
    bool is_found;     /* a capture file for it exists */
};

struct capture_files {
    struct captures all;
    VEC(struct listed_capture) listed;
    struct intern folders; /* paths of folders already searched */
    uint64_t n_bytes;      /* decompressed size of all captures read */
    bool is_given;         /* -capture was given */
    bool is_off;           /* -capture none was given */
};

/* Adds the captures of -capture; false with ERR. */
bool capture_files_init(struct capture_files *files, struct loader *l, struct err *err);
void capture_files_done(struct capture_files *files);

/* Adds the captures in the folders near the trace PATH. */
void capture_files_add_near(struct capture_files *files, const char *path);
/* Adds the file PATH, which is a trace. */
struct captured_file *capture_files_add(struct capture_files *files, const char *path);
/* The capture in the file PATH, or NULL. */
struct captured_file *capture_files_find(const struct capture_files *files, const char *path);

/* The batch size of C, or SIZE_UNKNOWN. */
int64_t capture_size(const struct captured_file *c);

/* Reads C if it was not read.  An unusable file sets is_bad and adds a note, unless -capture names
 * it: then returns false with ERR. */
bool capture_open(struct capture_files *files, struct captured_file *c, struct err *err);
/* Opens all captures of unknown size.  False with ERR, also when -capture names no usable file. */
bool capture_open_unknown(struct capture_files *files, struct err *err);

/* Reads the trace PATH into LOG with the loader SUB.  Initialises both; the caller must call
 * capture_log_done() in any case. */
bool capture_log_read(struct loader *l, const char *path, struct loader *sub, struct trace_log *log,
                      struct err *err);
void capture_log_done(struct loader *sub, struct trace_log *log);
