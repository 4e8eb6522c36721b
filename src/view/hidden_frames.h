/* hidden_frames.h: which lines of a call stack are hidden: what -hide_frames says. */
#ifndef TFPROF_VIEW_HIDDEN_FRAMES_H
#define TFPROF_VIEW_HIDDEN_FRAMES_H

#include "model/profile.h"

/* In a list of regexes the word for the files of Python itself, of installed packages and of
 * frameworks. */
#define LIBRARY_FRAMES "library"

struct regexes;

/* Private but for its init and done.  One thread at a time. */
struct hidden_frames {
    const struct profile *profile;
    struct regexes *regexes; /* NULL: nothing is hidden */
    uint8_t *known;          /* [strings] by file: 0 not asked yet, else an enum of the .c */
};

/* LIST is a value of -hide_frames, which option_set() has checked; P must outlive H. */
void hidden_frames_init(struct hidden_frames *h, const struct profile *p, const char *list);
void hidden_frames_done(struct hidden_frames *h);

/* True when a regex of the list matches the whole path of FRAME's file.  Each file is matched
 * once; a frame that no file has is never hidden. */
bool frame_is_hidden(struct hidden_frames *h, const struct frame *frame);
/* The innermost frame of T that has a file and is not hidden, else the innermost with a file;
 * NULL: none has one. */
const struct frame *innermost_own_frame(struct hidden_frames *h, const struct trace *t);

#endif
