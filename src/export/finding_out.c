/* finding_out.c: findings as JSON, and commands that show their rows, quoted for a shell. */
#include "export/finding_out.h"

#include <dirent.h>
#include <inttypes.h>
#include <string.h>

#include "base/regex/regexes.h"
#include "export/sinks/json_members.h"
#include "model/format.h"

/* ---- commands */

/* Appends one word in single quotes for POSIX shells. */
static void add_quoted(struct strbuf *sb, const char *text)
{
    sb_addc(sb, '\'');
    for (const char *c = text; *c; c++)
        if (*c == '\'')
            sb_adds(sb, "'\\''");
        else
            sb_addc(sb, *c);
    sb_addc(sb, '\'');
}

void command_add_word(struct strbuf *sb, const char *text)
{
    const size_t n = strspn(text, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_./-+@%:=,");

    sb_addc(sb, ' ');
    sb_adds(sb, text[0] == '-' && text[1] ? "./" : "");
    if (n && !text[n])
        sb_adds(sb, text);
    else
        add_quoted(sb, text);
}

/* Length of the folder part of PATH including the slash; 0: none. */
static size_t folder_len(const char *path)
{
    const char *slash = strrchr(path, '/');

    return slash ? (size_t)(slash + 1 - path) : 0;
}

/* Number of files in FOLDER except hidden ones. */
static size_t count_files(const char *folder)
{
    DIR *dir = opendir(folder);
    size_t n = 0;

    for (const struct dirent *entry; dir && (entry = readdir(dir));)
        n += entry->d_name[0] != '.';
    if (dir)
        closedir(dir);
    return n;
}

/* Names the folder instead of the files if they are many and all files of the folder. */
static bool add_folder(struct strbuf *sb, const struct command_inputs *inputs)
{
    enum { MANY_FILES = 5 };
    const size_t len = inputs->n_files >= MANY_FILES ? folder_len(inputs->files[0]) : 0;
    struct strbuf folder = {0};
    bool is_all = len > 0;

    for (size_t i = 1; i < inputs->n_files && is_all; i++)
        is_all = folder_len(inputs->files[i]) == len && strncmp(inputs->files[i], inputs->files[0], len) == 0;
    if (is_all) {
        sb_add(&folder, inputs->files[0], len);
        is_all = count_files(sb_text(&folder)) == inputs->n_files;
    }
    if (is_all)
        command_add_word(sb, sb_text(&folder));
    sb_done(&folder);
    return is_all;
}

void command_add_files(struct strbuf *sb, const struct command_inputs *inputs)
{
    const struct options *o = inputs->options;
    const bool is_folder = add_folder(sb, inputs);

    for (size_t i = 0; i < inputs->n_files && !is_folder; i++)
        command_add_word(sb, inputs->files[i]);
    for (size_t i = 0; i < option_table_n; i++) {
        struct strbuf value = {0};

        if (option_table[i].stages != STAGE_LOAD || option_table[i].stands_for ||
            option_is_default(o, &option_table[i]) || strcmp(option_table[i].name, "diff_base") == 0)
            continue;
        option_print(&value, o, &option_table[i]);
        sb_addf(sb, " -%s", option_table[i].name);
        command_add_word(sb, sb_text(&value));
        sb_done(&value);
    }
}

/* Appends a regex that matches only the name of NODE; unprintable bytes are escaped. */
static void add_regex(struct strbuf *sb, const struct profile *p, node_id node)
{
    const struct text name = intern_string(&p->strings, p->name[node]);
    struct strbuf quoted = {0}, plain = {0};

    regexes_quote(&quoted, name.bytes, name.len);
    for (size_t i = 0; i < quoted.len; i++) {
        const unsigned char c = (unsigned char)quoted.data[i];

        if (c < 0x20 || c == 0x7f)
            sb_addf(&plain, "\\x%02x", c);
        else
            sb_addc(&plain, (char)c);
    }
    sb_addc(sb, ' ');
    add_quoted(sb, sb_text(&plain));
    EACH(sb_done, &quoted, &plain);
}

void command_add_finding(struct strbuf *sb, const struct command_inputs *inputs, const struct finding *f)
{
    const bool has_row = f->node != NODE_NONE;

    sb_addf(sb, "tfprof %s", has_row ? "scope" : f->rule->command);
    command_add_files(sb, inputs);
    if (has_row) {
        sb_adds(sb, " -step all -max_depth all -show_name_regexes");
        add_regex(sb, inputs->profile, f->node);
    } else if (f->step != INT64_MIN) {
        sb_addf(sb, " -step %" PRId64, f->step);
    }
    sb_adds(sb, " -output json");
}

/* ---- JSON */

static void add_row(struct strbuf *sb, const struct profile *p, const struct finding *f)
{
    if (f->node == NODE_NONE) {
        member_null(sb, "row");
        return;
    }
    sb_adds(sb, ",\"row\":{\"view\":\"scope\"");
    member_known_name(sb, "path", p, p->name[f->node]);
    sb_addc(sb, '}');
}

static void add_source(struct strbuf *sb, const struct profile *p, const struct frame *frame)
{
    if (!frame) {
        member_null(sb, "source");
        return;
    }
    sb_adds(sb, ",\"source\":{");
    member_string(sb, "file", profile_text(p, frame->file));
    member_number(sb, "line", frame->lineno);
    member_known_name(sb, "function", p, frame->function);
    sb_addc(sb, '}');
}

void finding_add_json(struct strbuf *sb, const struct command_inputs *inputs, const struct finding *f)
{
    const int64_t share = finding_share(f);
    struct strbuf command = {0};

    command_add_finding(&command, inputs, f);
    sb_addc(sb, '{');
    member_string(sb, "id", f->rule->id);
    member_string(sb, "checker", f->rule->checker);
    member_string(sb, "severity", finding_severity(f));
    member_string(sb, "claim", f->claim);
    member_micros(sb, "lost", f->lost_ps);
    sb_addf(sb, ",\"share\":%" PRId64 ".%03" PRId64, share / 1000, share % 1000);
    member_number(sb, "rank", f->rank);
    member_known_name(sb, "device", inputs->profile, f->device);
    member_number(sb, "step", f->step);
    member_number(sb, "count", (int64_t)f->count);
    add_row(sb, inputs->profile, f);
    member_known_name(sb, "op", inputs->profile, f->op);
    add_source(sb, inputs->profile, f->source);
    member_string(sb, "explained_by", f->explained_by);
    member_string(sb, "command", sb_text(&command));
    member_string(sb, "fix", f->rule->fix);
    sb_addc(sb, '}');
    sb_done(&command);
}
