/* print.c: short texts to standard output. */

#include "cli/cli.h"

#include "config.h"
#include "export/sinks/escape.h"

bool print_text(const struct strbuf *text, struct err *err)
{
    struct stdout_sink out;
    bool ok;

    stdout_sink_init(&out);
    ok = out.sink.write(&out.sink, sb_text(text), text->len, err) && stdout_sink_flush(&out, err);
    stdout_sink_done(&out);
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
    bool ok;

    json_add_head(&text, "version", "", 0, 0);
    sb_addf(&text, ",\"version\":\"" PACKAGE_VERSION "\",\"sandbox\":{\"no_new_privs\":%s,\"landlock\":%d,\"seccomp\":%s}}\n",
            word[on->no_new_privs], on->landlock_abi > 0 ? on->landlock_abi : 0, word[on->seccomp]);
    ok = print_text(&text, err);
    sb_done(&text);
    return ok;
}

bool print_help_json(struct err *err)
{
    struct strbuf text = {0};
    bool ok;

    help_json(&text);
    ok = print_text(&text, err);
    sb_done(&text);
    return ok;
}

bool print_version(const struct sandbox *on, struct err *err)
{
    static const char *const word[] = {"off: not offered by the kernel", "on"};
    struct strbuf text = {0};
    bool ok;

    sb_adds(&text, PACKAGE_NAME " " PACKAGE_VERSION "\n");
    sb_addf(&text, "no_new_privs  %s\n", word[on->no_new_privs]);
    sb_addf(&text, "Landlock      %s", word[on->landlock_abi > 0]);
    if (on->landlock_abi > 0)
        sb_addf(&text, ", ABI %d", on->landlock_abi);
    sb_addf(&text, "\nseccomp       %s\n", word[on->seccomp]);
    ok = print_text(&text, err);
    sb_done(&text);
    return ok;
}
