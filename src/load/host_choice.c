/* host_choice.c: selects the hosts to read: -host_regexes. */
#include "load/loader.h"

#include <string.h>

#include "base/strbuf.h"
#include "base/utf8.h"

static const char option[] = "host_regexes";

bool host_choice_init(struct host_choice *choice, const char *list, struct err *err)
{
    memset(choice, 0, sizeof *choice);
    intern_init(&choice->names);
    choice->regexes = regexes_new(list, err);
    if (!choice->regexes) {
        err_prefix(err, "-%s", option);
        return false;
    }
    if (regexes_is_wildcard(choice->regexes)) {
        regexes_free(choice->regexes);
        choice->regexes = NULL;
    }
    return true;
}

void host_choice_done(struct host_choice *choice)
{
    regexes_free(choice->regexes);
    intern_done(&choice->names);
    vec_done(&choice->is_wanted);
}

bool host_is_wanted(struct host_choice *choice, struct text name)
{
    strid id;

    if (!choice->regexes)
        return true;
    id = intern_put(&choice->names, name.bytes, name.len);
    if (id >= choice->is_wanted.n)
        vec_resize_zero(&choice->is_wanted, (size_t)id + 1);
    if (!choice->is_wanted.data[id])
        choice->is_wanted.data[id] =
            regexes_match(choice->regexes, name.bytes, name.len) < 0 ? 1 : 2;
    return choice->is_wanted.data[id] == 2;
}

/* Appends the first few names, separated by commas. */
static void list_names(const struct host_choice *choice, size_t n_names, struct strbuf *sb)
{
    enum { LISTED_MAX = 8 };
    size_t n_listed = 0;

    for (strid id = 0; id < choice->is_wanted.n && n_listed < LISTED_MAX; id++) {
        const struct text name = intern_string(&choice->names, id);

        if (!choice->is_wanted.data[id])
            continue;
        sb_adds(sb, n_listed++ ? ", " : "");
        utf8_escape(sb, name.bytes, name.len);
        sb_adds(sb, name.len ? "" : "(no name)");
    }
    if (n_names > n_listed)
        sb_addf(sb, " and %zu more", n_names - n_listed);
}

bool host_choice_check(const struct host_choice *choice, struct notes *notes, struct err *err)
{
    struct strbuf names = {0};
    size_t n_names = 0, n_wanted = 0;

    if (!choice->regexes)
        return true;
    for (size_t i = 0; i < choice->is_wanted.n; i++) {
        n_names += choice->is_wanted.data[i] != 0;
        n_wanted += choice->is_wanted.data[i] == 2;
    }
    regexes_note_undecided(choice->regexes, option, n_names, notes);
    if (!n_names)
        note_add(notes, "-%s: no effect: it selects hosts of captures and digests, and ranks "
                        "of traces (-device_regexes selects devices)", option);
    else if (n_wanted)
        note_add(notes, "-%s: %zu of %zu host%s", option, n_wanted, n_names, n_names == 1 ? "" : "s");
    if (!n_names || n_wanted)
        return true;
    list_names(choice, n_names, &names);
    err_set(err, ERR_INPUT, "-%s: matches no host; available: %s", option, sb_text(&names));
    sb_done(&names);
    return false;
}
