/* inputs.h: collects the files that a load reads, in load order. */
#pragma once

#include "base/err.h"
#include "load/formats.h"

struct input {
    char *path; /* heap, owned */
    enum input_format format;
    bool named;       /* by an option for the format, or as FILE */
    bool in_folder;   /* found in a folder */
    bool is_read;     /* a stream, read for detection */
    bool is_again;    /* to be read again after the others of its format */
    bool is_begun;    /* input_begin() was called before its turn */
    struct source_file file;
    struct gunzip_stream *unpacking; /* NULL, or decompresses the rest of file */
    bool is_stream;           /* can be read only once, and may block */
    uint64_t file_size_bytes; /* for progress; 0: unknown */
};

struct inputs {
    VEC(struct input) list;
    size_t in_work; /* index of the current one; SIZE_MAX: none */
    bool without_streams; /* set by the caller: fail without ERR when a FILE is a stream */
};

/* Resolves the inputs of REQUEST: options determine the format, FILEs are detected, folders are
 * listed. INPUTS is zeroed except for the caller's field.  The list is in load order.  False with
 * ERR (input or usage) when a file is missing or unknown, or inputs contradict each other.  NOTES
 * gets what was taken from folders and what was skipped. */
bool inputs_collect(struct inputs *inputs, const struct load_request *request, struct notes *notes,
                    struct cancel_mark cancel, struct err *err);
/* Last step: drops inputs that other inputs supersede, sorts, and checks that all belong to one
 * model and have at most MAX_BYTES together as stored (0: no limit).  False with ERR (input or
 * usage) otherwise. */
bool inputs_check_combination(struct inputs *inputs, uint64_t max_bytes, struct notes *notes,
                         struct err *err);
/* True when FOLDER directly contains an input. */
bool folder_has_inputs(const char *folder);
/* Frees all inputs after the first N. */
void inputs_truncate(struct inputs *inputs, size_t n);
/* Removes the input PATH, which must not be open. */
void inputs_drop(struct inputs *inputs, const char *path);
/* The index of the input PATH; SIZE_MAX when there is none, or PATH is NULL. */
size_t inputs_find(const struct inputs *inputs, const char *path);
void inputs_done(struct inputs *inputs);

/* Reads inputs [FROM, TO) of INPUTS into the builder of L; earlier ones are already read.  False
 * with ERR when inputs->in_work cannot be read or the load is cancelled.  Truncates INPUTS when a
 * stop was requested. */
bool read_inputs(struct loader *l, struct inputs *inputs, size_t from, size_t to, struct err *err);
/* Completes the load after the first N of INPUTS, all that the builder of L contains, are read. */
bool finish_inputs(struct loader *l, const struct inputs *inputs, size_t n, struct err *err);

/* Keeps one of several forms of each program in a folder.  Files that the user names are kept. */
void dump_files_drop(struct inputs *inputs, struct notes *notes);

/* True for text that begins with `field {`, `field <` or `field:`, or consists of blanks and
 * comments. */
bool detect_is_text(struct span bytes);

/* The format, or FORMAT_UNKNOWN. */
enum input_format detect_format(struct span bytes);

/* True when BYTES, the head of a file, end within the first element, which may lead to a wrong
 * format: a node with a name that long looks like an op log. */
bool detect_is_cut(struct span bytes);

/* True for empty or blank text. */
bool detect_is_blank(struct span bytes);

/* Describes bytes of an unknown format, such as "a PNG image"; NULL if unknown. */
const char *detect_lookalike(struct span bytes);
