/* capture_files.h: finds graph captures beside traces, and what is known of them without opening them
 * (formats-trace.md section 11). */
#pragma once

#include "load/replay/captured.h"

/* A capture that an execution_details.json lists. */
struct listed_capture {
    char *path, *mode; /* heap; mode NULL: not stated */
    int64_t size;
    bool is_found;     /* there is a capture for it */
};

struct capture_files {
    struct captures all;
    VEC(struct listed_capture) listed;
    struct intern folders; /* that were looked at */
    uint64_t n_bytes;      /* of all captures that were read, unpacked */
    bool is_given;         /* by -capture */
    bool is_off;           /* -capture none */
};

/* Takes the captures of -capture; false with ERR. */
bool capture_files_init(struct capture_files *files, struct loader *l, struct err *err);
void capture_files_done(struct capture_files *files);

/* Adds what lies beside the trace PATH. */
void capture_files_beside(struct capture_files *files, const char *path);
/* Adds the file PATH, which is known to be a trace. */
struct captured_file *capture_files_add(struct capture_files *files, const char *path);
/* The capture of the file PATH, or NULL. */
struct captured_file *capture_files_find(const struct capture_files *files, const char *path);

/* The batch size, as far as it is known; SIZE_UNKNOWN. */
int64_t capture_size(const struct captured_file *c);

/* Reads capture C unless it was.  A file that cannot be used gives a note and is_bad; one that
 * -capture names gives ERR: false. */
bool capture_open(struct capture_files *files, struct captured_file *c, struct err *err);
/* Opens all captures of unknown size; false with ERR, also when -capture names none that can be used. */
bool capture_open_unknown(struct capture_files *files, struct err *err);

/* Reads the trace PATH into LOG, with SUB as its loader; both are initialised here and the caller ends
 * them with capture_log_done(), also after false with ERR. */
bool capture_log_read(struct loader *l, const char *path, struct loader *sub, struct trace_log *log,
                      struct err *err);
void capture_log_done(struct loader *sub, struct trace_log *log);
