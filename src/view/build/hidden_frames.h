/* hidden_frames.h: evaluates -hide_frames: the frames of a call stack that are hidden. */
#pragma once

#include "base/strbuf.h"
#include "model/profile.h"

/* Keyword in the regex list for files of the Python installation, of packages and of frameworks. */
#define LIBRARY_FRAMES "library"

struct regexes;

/* Private except for init and done. Not thread-safe. */
struct hidden_frames {
    const struct profile *profile;
    struct regexes *regexes; /* NULL: nothing is hidden */
    uint8_t *known;          /* [strings] by file: 0 unknown, else an enum of hidden_frames.c */
};

/* LIST is a value of -hide_frames that option_set() has accepted; P must outlive H. */
void hidden_frames_init(struct hidden_frames *h, const struct profile *p, const char *list);
void hidden_frames_done(struct hidden_frames *h);

/* True when a regex of the list matches the whole path of FRAME's file. Each file is matched once;
 * a frame without a file is never hidden. */
bool frame_is_hidden(struct hidden_frames *h, const struct frame *frame);
/* The innermost frame of T that has a file and is not hidden, else the innermost with a file; NULL
 * if no frame has a file. */
const struct frame *innermost_own_frame(struct hidden_frames *h, const struct call_stack *t);

/* Suffix of names of gradient rows. */
#define GRADIENT_SUFFIX " (gradient)"

/* Appends "FILE:LINE:FUNCTION" of a frame of P, WITH_TEXT also ":TEXT" (semantics.md section 4.4);
 * for a frame without a file only the function. */
void frame_name(struct strbuf *sb, const struct profile *p, const struct frame *frame,
                bool with_text);
/* Appends the name of a frame with the full path and without shortening. */
void frame_name_with_path(struct strbuf *sb, const struct profile *p, const struct frame *frame);

/* Appends the name of a frame without shortening the function. */
void frame_full_name(struct strbuf *sb, const struct profile *p, const struct frame *frame);
