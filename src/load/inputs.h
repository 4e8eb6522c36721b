/* inputs.h: which files a load reads, in which order. */
#ifndef TFPROF_LOAD_INPUTS_H
#define TFPROF_LOAD_INPUTS_H

#include "load/formats.h"

struct input {
    char *path; /* heap, owned */
    enum input_format format;
    bool named;       /* by an option that says the format, or as FILE */
    bool in_folder;   /* nobody named it: a folder has it */
    bool is_read;     /* a stream had to be read to see what it is */
    bool is_begun;    /* input_begin() was called for it ahead of its turn */
    struct source_file file;
    struct gunzip_stream *unpacking; /* NULL, or brings the rest of file */
    bool is_stream;           /* can be read but once, and nobody knows when */
    uint64_t file_size_bytes; /* for progress; 0 when not known */
};

struct inputs {
    VEC(struct input) list;
    size_t in_work; /* the one that is read; SIZE_MAX: none */
    bool without_streams; /* the caller's: give up, without ERR, when a FILE is a stream */
};

/* Finds out what REQUEST names: options say the format, FILEs are looked into,
 * folders are listed.  INPUTS is zeroed but for the caller's field.  The list is in the order of loading.  False with ERR
 * (input or usage) when a file is not there or unknown, or when they contradict
 * each other.  NOTES is told what was taken from folders and what was not. */
bool inputs_collect(struct inputs *inputs, const struct load_request *request, struct notes *notes,
                    struct cancel_mark cancel, struct err *err);
/* The end of it: leaves out what is told by others in INPUTS better, sorts them, and checks that they
 * are of one model and hold at most MAX_BYTES together as they are stored (0: any).  False with ERR
 * (input or usage) otherwise. */
bool inputs_fit_together(struct inputs *inputs, uint64_t max_bytes, struct notes *notes,
                         struct err *err);
/* True when FOLDER itself holds something that can be read. */
bool inputs_are_in(const char *folder);
/* Frees all behind the first N. */
void inputs_truncate(struct inputs *inputs, size_t n);
/* Takes the input of PATH, which has not been opened yet, out of the list. */
void inputs_drop(struct inputs *inputs, const char *path);
/* The number of the input of PATH; SIZE_MAX when there is none, or PATH is NULL. */
size_t inputs_find(const struct inputs *inputs, const char *path);
void inputs_done(struct inputs *inputs);

#endif
