/* wait.h: why a thread waits (formats-trace.md section 4.8). */
#ifndef TFPROF_MODEL_WAIT_H
#define TFPROF_MODEL_WAIT_H

/* X(ID, key, words) of every kind of wait: the key of `summary`, and words for people. */
#define WAIT_LIST(X)                                                                   \
    X(BLOCKING_CALL, "blocking_call", "blocking calls")                                \
    X(SLEEPING_FRAME, "sleeping_frame", "sleeping Python frames")                      \
    X(AUTOGRAD, "autograd", "autograd thread")                                         \
    X(NOT_RECORDED, "not_recorded", "nothing recorded (with_stack=True records more)")

#define WAIT_ID(id, key, words) WAIT_##id,
enum wait_kind { WAIT_NONE, WAIT_LIST(WAIT_ID) WAIT_KINDS };
#undef WAIT_ID

/* "blocking_call", "blocking calls" of a kind but WAIT_NONE: static text. */
const char *wait_key(enum wait_kind kind);
const char *wait_words(enum wait_kind kind);

#endif
