/* unrepeat.c: expands the terminal sequence REP, "repeat the last character N times". */
#include "unrepeat.h"

#include <stdbool.h>
#include <stdlib.h>

/* Adds C to the sequence; false when it cannot be part of REP. */
static bool take(struct unrepeat *u, char c)
{
    if (u->n_seq + 1 >= sizeof u->seq || (u->n_seq == 1 && c != '[') ||
        (u->n_seq > 1 && (c < '0' || c > '9')))
        return false;
    u->seq[u->n_seq++] = c;
    u->seq[u->n_seq] = '\0';
    return true;
}

static void one_byte(struct unrepeat *u, char c, struct strbuf *out)
{
    if (u->n_seq > 2 && c == 'b') {
        sb_pad(out, u->last, (size_t)atoi(u->seq + 2));
        u->n_seq = 0;
        return;
    }
    if (u->n_seq && take(u, c))
        return;
    sb_add(out, u->seq, u->n_seq);
    u->n_seq = 0;
    if (c == '\033') {
        take(u, c);
        return;
    }
    u->last = c;
    sb_addc(out, c);
}

void unrepeat(struct unrepeat *u, const char *bytes, size_t len, struct strbuf *out)
{
    for (size_t i = 0; i < len; i++)
        one_byte(u, bytes[i], out);
}
