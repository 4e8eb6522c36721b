/* run_case.c: writes a generated case as files and arguments, loads it and computes everything from
 * it. */
#include "meaning/run_case.h"

#include <stdio.h>
#include <string.h>

#include "fixtures/load_bytes.h"
#include "fuzz/look.h"
#include "fuzz/scratch.h"
#include "meaning/peak_memory.h"
#include "meaning/screen.h"
#include "session/report.h"
#include "session/session.h"

/* Limit for the heap use of a case: MAX_TIMES times the input size, plus MAX_BASE_BYTES. */
enum { MAX_TIMES = 64, MAX_BASE_BYTES = 32 << 20 };

static const struct cancel_mark never;

/* ---- files and words */

static void write_file(const char *path, const struct strbuf *bytes)
{
    FILE *file = fopen(path, "wb");

    FUZZ_REQUIRE(file && fwrite(sb_text(bytes), 1, bytes->len, file) == bytes->len);
    FUZZ_REQUIRE(fclose(file) == 0);
}

size_t case_write(const struct case_tree *t, const char *folder)
{
    size_t n_bytes = 0;

    for (size_t i = 0; i < t->items.n; i++) {
        struct strbuf path = {0}, bytes = {0};

        if (!item_is_file(&t->items.data[i]))
            continue;
        sb_addf(&path, "%s/%.*s", folder, (int)t->items.data[i].text_len, case_tree_text(t, i));
        n_bytes += case_tree_encode(t, i, &bytes);
        write_file(sb_text(&path), &bytes);
        sb_done(&path);
        sb_done(&bytes);
    }
    return n_bytes;
}

/* Adds TEXT with each @ replaced by FOLDER. */
static void add_word(struct words *words, const char *text, size_t len, const char *folder)
{
    struct strbuf word = {0};

    for (size_t i = 0; i < len; i++) {
        if (text[i] == '@' && (i + 1 == len || text[i + 1] == '/'))
            sb_adds(&word, folder);
        else
            sb_addc(&word, text[i]);
    }
    words_add(words, sb_text(&word));
    sb_done(&word);
}

static struct words words_of(const struct case_tree *t, const char *folder)
{
    struct words words = {0};

    words_add(&words, "scope");
    for (size_t i = 0; i < t->items.n; i++)
        if (t->items.data[i].kind == ITEM_OPTION)
            add_word(&words, case_tree_text(t, i), t->items.data[i].text_len, folder);
    return words;
}

void case_words(const struct case_tree *t, const char *folder, struct strbuf *line)
{
    struct words words = words_of(t, folder);

    for (size_t i = 0; i < words.n; i++) {
        sb_addc(line, ' ');
        words_quote(line, words.items[i]);
    }
    words_done(&words);
}

/* Parses the command line of T; false when it is refused with a message. */
static bool parse(const struct case_tree *t, struct command_line *cl)
{
    struct words words = words_of(t, fuzz_folder());
    struct err err = {0};
    const bool ok = command_line_parse(cl, (int)words.n, (const char *const *)words.items,
                                       AT_PROGRAM, NULL, &err);

    look_settle(ok, &err);
    words_done(&words);
    return ok;
}

/* ---- computing */

static void set(struct options *o, const char *name, const char *value)
{
    struct err err = {0};

    FUZZ_REQUIRE(option_set(o, option_find(name), value, &err));
}

/* FLOPs of all nodes with the options O. */
static void look_at_counts(const struct session *s, const struct options *o)
{
    struct err err = {0};
    struct result *r = query_run(s->query, VIEW_SCOPE, o, never, &err);

    look_settle(r != NULL, &err);
    if (r)
        look_at_flops(r);
    result_free(r);
}

/* Everything, with each way to count FLOPs. */
static void look_by_each_count(const struct session *s, const struct options *given)
{
    struct options o;

    options_copy(&o, given);
    set(&o, "max_depth", "1000");
    set(&o, "select",
        "params,float_ops,micros,bytes,peak_bytes,residual_bytes,output_bytes,accelerator_micros,"
        "cpu_micros,occurrence,device,op_types,input_shapes,tensor_value,num_hidden_ops");
    set(&o, "flops", "log");
    look_at_counts(s, &o);
    set(&o, "flops", "compat");
    look_at_counts(s, &o);
    set(&o, "flops", "full");
    look_at_views(s->query, &o);
    options_done(&o);
}

/* All views with the given options, and full FLOPs counts. */
static void compute_views_and_counts(const struct session *s, const struct options *o)
{
    struct options full;

    look_at_views(s->query, o);
    options_copy(&full, o);
    set(&full, "flops", "full");
    look_at_counts(s, &full);
    options_done(&full);
}

static bool ignore_bytes(struct sink *s, const void *bytes, size_t len, struct err *err)
{
    (void)s, (void)bytes, (void)len, (void)err;
    return true;
}

static void look_at_report(struct session *s, const struct command *command, const char *output,
                           const struct options *given)
{
    struct sink nowhere = {.write = ignore_bytes};
    struct err err = {0};
    struct options o;

    options_copy(&o, given);
    set(&o, "output", output);
    look_settle(report_make(&nowhere, s, command, &o, &err), &err);
    options_done(&o);
}

/* The reports of commands about the whole profile. */
static void look_at_reports(struct session *s, const struct options *given)
{
    static const char *const tried[] = {"stdout", "json", "csv", "html"};

    for (const struct command *c = command_table; c->name; c++)
        if (c->kind >= COMMAND_TABLE && c->kind <= COMMAND_SUMMARY)
            for (int i = 0; i < (c->table ? 4 : 2); i++)
                look_at_report(s, c, tried[i], given);
}

static void look_at_session(struct session *s, const struct options *o)
{
    struct options plain;

    profile_expect_whole(s->profile);
    options_init(&plain);
    look_by_each_count(s, &plain);
    options_done(&plain);
    compute_views_and_counts(s, o);
    look_at_advice(s->profile, s->query);
    look_at_reports(s, o);
}

bool run_case_views(const struct case_tree *t)
{
    const size_t n_bytes = case_write(t, fuzz_folder());
    struct command_line cl;
    struct session *s;
    struct err err = {0};
    bool taken;

    if (!parse(t, &cl))
        return false;
    peak_memory_start();
    s = session_open(&cl.options, (const char *const *)cl.files.items, cl.files.n, NULL, never, &err);
    FUZZ_REQUIRE(peak_memory_end() <= n_bytes * MAX_TIMES + MAX_BASE_BYTES);
    taken = s != NULL;
    look_settle(taken, &err);
    if (taken && case_tree_is_large(t)) {
        session_close(s); /* computing everything from it would take minutes */
    } else if (taken) {
        look_at_session(s, &cl.options);
        session_close(s);
        screen_show_details(&cl);
    }
    command_line_done(&cl);
    return taken;
}

bool run_case_keys(const struct case_tree *t, uint64_t seed, unsigned n_keys)
{
    struct command_line cl;
    bool taken;

    if (case_tree_is_large(t))
        return false;
    case_write(t, fuzz_folder());
    if (!parse(t, &cl))
        return false;
    taken = screen_press_keys(&cl, seed, n_keys);
    command_line_done(&cl);
    return taken;
}
