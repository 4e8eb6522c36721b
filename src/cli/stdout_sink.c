/* stdout_sink.c: standard output as a sink. */
#include "cli/cli.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "base/system/signals.h"

enum { FLUSH_BYTES = 1 << 16 };

static bool write_all(const char *bytes, size_t len, struct err *err)
{
    size_t done = 0;

    while (done < len) {
        const ssize_t n = write(STDOUT_FILENO, bytes + done, len - done);

        if (n >= 0) {
            done += (size_t)n;
            continue;
        }
        if (errno == EINTR)
            continue;
        if (errno == EPIPE)
            signal_die(SIGPIPE); /* even if the parent process ignores it */
        return err_set(err, ERR_INPUT, "standard output: cannot be written: %s", strerror(errno));
    }
    return true;
}

bool stdout_sink_flush(struct stdout_sink *s, struct err *err)
{
    const bool ok = time_limit_passed() ? err_set(err, ERR_CANCELLED, "cancelled")
                                        : write_all(s->waiting.data, s->waiting.len, err);

    sb_clear(&s->waiting);
    return ok;
}

static bool write_bytes(struct sink *sink, const void *bytes, size_t len, struct err *err)
{
    struct stdout_sink *s = (struct stdout_sink *)sink;

    if (len >= FLUSH_BYTES) /* large writes bypass the buffer */
        return stdout_sink_flush(s, err) && write_all(bytes, len, err);
    sb_add(&s->waiting, bytes, len);
    return s->waiting.len < FLUSH_BYTES || stdout_sink_flush(s, err);
}

void stdout_sink_init(struct stdout_sink *s)
{
    *s = (struct stdout_sink){.sink = {.write = write_bytes}};
}

void stdout_sink_done(struct stdout_sink *s)
{
    sb_done(&s->waiting);
}
