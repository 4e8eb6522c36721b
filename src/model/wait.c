/* wait.c: names of the kinds of waits. */
#include "model/wait.h"

#define WAIT_KEY(id, key, words) [WAIT_##id] = (key),
#define WAIT_WORDS(id, key, words) [WAIT_##id] = (words),

const char *wait_key(enum wait_kind kind)
{
    static const char *const keys[WAIT_KINDS] = {WAIT_LIST(WAIT_KEY)};

    return keys[kind];
}

const char *wait_words(enum wait_kind kind)
{
    static const char *const words[WAIT_KINDS] = {WAIT_LIST(WAIT_WORDS)};

    return words[kind];
}
