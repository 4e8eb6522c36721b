/* stdout_sink.c: standard output as a sink, and short texts to it. */
#include "cli/cli.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "base/system/signals.h"
#include "cli/report.h"
#include "config.h"
#include "export/sinks/escape.h"

enum {
    FLUSH_BYTES = 1 << 16,
    KEPT_BYTES = 2, /* the end of a JSON object, which stdout_sink_add_notes() replaces */
};

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

static bool write_now(struct stdout_sink *s, const char *bytes, size_t len, struct err *err)
{
    s->n_written_bytes += len;
    return time_limit_passed() ? err_set(err, ERR_CANCELLED, "cancelled")
                               : write_all(bytes, len, err);
}

static bool flush(struct stdout_sink *s, struct err *err)
{
    const bool ok = write_now(s, s->waiting.data, s->waiting.len, err);

    sb_clear(&s->waiting);
    return ok;
}

static bool flush_except_end(struct stdout_sink *s, struct err *err)
{
    const size_t len = s->waiting.len - KEPT_BYTES;
    const bool ok = write_now(s, s->waiting.data, len, err);

    memmove(s->waiting.data, s->waiting.data + len, KEPT_BYTES);
    sb_truncate(&s->waiting, KEPT_BYTES);
    return ok;
}

static bool write_bytes(struct sink *sink, const void *bytes, size_t len, struct err *err)
{
    struct stdout_sink *s = (struct stdout_sink *)sink;

    const size_t direct = len >= FLUSH_BYTES ? len - KEPT_BYTES : 0; /* bypasses the buffer */

    if (direct && !(flush(s, err) && write_now(s, bytes, direct, err)))
        return false;
    sb_add(&s->waiting, (const char *)bytes + direct, len - direct);
    return s->waiting.len < FLUSH_BYTES || flush_except_end(s, err);
}

void stdout_sink_add_notes(struct stdout_sink *s, const struct notes *notes, unsigned without,
                           int64_t budget_bytes)
{
    const bool is_object = s->waiting.len >= KEPT_BYTES &&
                           strcmp(sb_text(&s->waiting) + s->waiting.len - KEPT_BYTES, "}\n") == 0;
    struct strbuf text = {0};

    sb_adds(&text, ",\"notes\":[");
    notes_append_json(&text, notes, without);
    if (is_object && text.data[text.len - 1] == '}' &&
        (!budget_bytes || s->n_written_bytes + s->waiting.len + text.len + 1 <= (uint64_t)budget_bytes)) {
        sb_truncate(&s->waiting, s->waiting.len - KEPT_BYTES);
        sb_addf(&s->waiting, "%s]}\n", sb_text(&text));
    }
    sb_done(&text);
}

void stdout_sink_init(struct stdout_sink *s)
{
    *s = (struct stdout_sink){.sink = {.write = write_bytes}};
}

bool stdout_sink_end(struct stdout_sink *s, bool ok, struct err *err)
{
    ok = ok && flush(s, err);
    sb_done(&s->waiting);
    return ok;
}

bool print_text(struct strbuf *text, struct err *err)
{
    struct stdout_sink out;
    bool ok;

    stdout_sink_init(&out);
    ok = stdout_sink_end(&out, out.sink.write(&out.sink, sb_text(text), text->len, err), err);
    sb_done(text);
    return ok;
}

bool print_help(const char *topic, const struct screen *screen, struct err *err)
{
    struct strbuf text = {0};
    const bool ok = help_text(&text, topic, screen, err) && print_text(&text, err);

    sb_done(&text);
    return ok;
}

bool print_version_json(const struct sandbox *on, struct err *err)
{
    static const char *const word[] = {"false", "true"};
    struct strbuf text = {0};

    json_add_head(&text, "version", "", 0, 0);
    sb_addf(&text, ",\"version\":\"" PACKAGE_VERSION "\",\"sandbox\":{\"no_new_privs\":%s,\"landlock\":%d,\"seccomp\":%s}}\n",
            word[on->no_new_privs], on->landlock_abi > 0 ? on->landlock_abi : 0, word[on->seccomp]);
    return print_text(&text, err);
}

bool print_help_json(struct err *err)
{
    struct strbuf text = {0};

    help_json(&text);
    return print_text(&text, err);
}

bool print_version(const struct sandbox *on, struct err *err)
{
    static const char *const word[] = {"off: not offered by the kernel", "on"};
    struct strbuf text = {0};

    sb_adds(&text, PACKAGE_NAME " " PACKAGE_VERSION "\n");
    sb_addf(&text, "no_new_privs  %s\n", word[on->no_new_privs]);
    sb_addf(&text, "Landlock      %s", word[on->landlock_abi > 0]);
    if (on->landlock_abi > 0)
        sb_addf(&text, ", ABI %d", on->landlock_abi);
    sb_addf(&text, "\nseccomp       %s\n", word[on->seccomp]);
    return print_text(&text, err);
}
