/* small_graph.c: a short notation for graphs, made a GraphDef in text form. */
#include "small_graph.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "load/graph/attrs.h"
#include "load/load.h"

static void add_shape(struct strbuf *sb, const char *text)
{
    if (*text == '?') {
        sb_adds(sb, "{unknown_rank:true}");
        return;
    }
    sb_adds(sb, "{");
    for (text++; *text && *text != ']'; text += *text == ',') {
        if (*text == '?') {
            sb_adds(sb, "dim{size:-1}");
            text++;
        } else {
            sb_addf(sb, "dim{size:%ld}", strtol(text, (char **)&text, 10));
        }
    }
    sb_adds(sb, "}");
}

/* "(1,2)", "5" or "2x2(0,0,1,1)" as a TensorProto of int32. */
static void add_tensor(struct strbuf *sb, const char *text)
{
    const char *open = strchr(text, '(');
    size_t n = 0;

    assert_non_null(strpbrk(text, "0123456789("));
    sb_adds(sb, "tensor{dtype:DT_INT32 ");
    if (open) {
        for (const char *at = open; at[1] != ')' && *at; at++)
            n += at[0] == ',' || at == open;
        sb_adds(sb, "tensor_shape{");
        if (open == text)
            sb_addf(sb, "dim{size:%zu}", n);
        for (const char *at = text; at < open; at += *at == 'x')
            sb_addf(sb, "dim{size:%ld}", strtol(at, (char **)&at, 10));
        sb_adds(sb, "}");
        text = open + 1;
    } else {
        sb_adds(sb, "tensor_shape{}");
    }
    for (; *text && *text != ')'; text += *text == ',')
        sb_addf(sb, " int_val:%ld", strtol(text, (char **)&text, 10));
    sb_adds(sb, "}");
}

static void add_value(struct strbuf *sb, char *text)
{
    if (*text == '[' || *text == '?') {
        sb_adds(sb, "shape");
        add_shape(sb, text);
    } else if (*text == '(') {
        sb_adds(sb, "list{");
        for (text++; *text && *text != ')'; text += *text == ',')
            sb_addf(sb, " i:%ld", strtol(text, &text, 10));
        sb_adds(sb, "}");
    } else if (*text == '{') {
        sb_adds(sb, "list{");
        for (char *at = strtok(text + 1, ";}"); at; at = strtok(NULL, ";}")) {
            sb_adds(sb, *at == '#' ? " type:" : *at == '@' ? " func{name:'" : *at == '\'' ? " s:" : " shape");
            if (*at == '#')
                sb_adds(sb, at + 1);
            else if (*at == '@')
                sb_addf(sb, "%s'}", at + 1);
            else if (*at == '\'')
                sb_adds(sb, at);
            else
                add_shape(sb, at);
        }
        sb_adds(sb, "}");
    } else if (*text == '\'') {
        sb_addf(sb, "s:%s", text);
    } else if (*text == '#') {
        sb_addf(sb, "type:%s", text + 1);
    } else if (*text == '@') {
        sb_addf(sb, "func{name:'%s'}", text + 1);
    } else if (*text == 't' || *text == 'f') {
        sb_addf(sb, "b:%s", text);
    } else if (strchr(text, '.')) {
        sb_addf(sb, "f:%s", text);
    } else {
        sb_addf(sb, "i:%s", text);
    }
}

static void add_node(struct strbuf *sb, char *line)
{
    char *save, *name = strtok_r(line, " ", &save), *equals = strtok_r(NULL, " ", &save);
    char *op = strtok_r(NULL, " ", &save);

    if (!name)
        return;
    if (!equals || !op)
        fail_msg("no node: %s", line);
    sb_addf(sb, "node{name:'%s' op:'%s'", name, op);
    for (char *word = strtok_r(NULL, " ", &save); word; word = strtok_r(NULL, " ", &save)) {
        char *value = strchr(word, '=');

        if (strcmp(op, "Const") == 0 && !value) {
            sb_adds(sb, " attr{key:'value' value{");
            add_tensor(sb, word);
            sb_adds(sb, "}}");
        } else if (*word == '[' || *word == '?') {
            sb_adds(sb, " attr{key:'shape' value{shape");
            add_shape(sb, word);
            sb_adds(sb, "}}");
        } else if (value) {
            *value = '\0';
            sb_addf(sb, " attr{key:'%s' value{", word);
            add_value(sb, value + 1);
            sb_adds(sb, "}}");
        } else {
            sb_addf(sb, " input:'%s'", word);
        }
    }
    sb_adds(sb, "}\n");
}

struct profile *small_graph_with(const char *text, const char *checkpoint)
{
    char path[] = "/tmp/tfprof-test-XXXXXX", *copy = strdup(text), *save;
    const char *producer = "1395";
    struct strbuf sb = {0};
    struct err err = {0};
    struct profile *p;
    int fd = mkstemp(path);

    assert_true(fd >= 0);
    for (char *line = strtok_r(copy, "\n", &save); line; line = strtok_r(NULL, "\n", &save))
        if (strncmp(line, "producer ", 9) == 0)
            producer = line + 9;
        else
            add_node(&sb, line);
    sb_addf(&sb, "versions{producer:%s}\n", producer);
    assert_int_equal(write(fd, sb_text(&sb), sb.len), sb.len);
    close(fd);
    p = load_profile(&(struct load_request){.graph_path = path, .checkpoint_path = checkpoint}, NULL,
                     (struct cancel_mark){0}, &err);
    if (!p)
        fail_msg("%s\n%s", err_text(&err), sb_text(&sb));
    unlink(path);
    sb_done(&sb);
    free(copy);
    return p;
}

struct profile *small_graph(const char *text)
{
    return small_graph_with(text, NULL);
}

struct flops *small_flops(const struct profile *p, enum flops_rules rules)
{
    struct flops_request r = {.rules = rules, .attrs = &attrs_source};
    struct err err = {0};
    struct flops *f = flops_compute(p, &r, (struct cancel_mark){0}, &err);

    if (!f)
        fail_msg("%s", err_text(&err));
    return f;
}

const char *small_shape(const struct profile *p, const struct flops *f, const char *output)
{
    static char text[512];
    const char *colon = strchr(output, ':');
    size_t len = colon ? (size_t)(colon - output) : strlen(output), at = 0;
    node_id node = profile_find(p, output, len);
    const int64_t *d;
    uint32_t n;

    assert_int_not_equal(node, NODE_NONE);
    if (!flops_output_shape(f, node, colon ? atoi(colon + 1) : 0, &d, &n))
        return "?";
    text[at++] = '[';
    for (uint32_t i = 0; i < n && at + 32 < sizeof text; i++) {
        const char *comma = i ? "," : "";

        if (d[i] < 0)
            at += (size_t)snprintf(text + at, sizeof text - at, "%s?", comma);
        else
            at += (size_t)snprintf(text + at, sizeof text - at, "%s%lld", comma, (long long)d[i]);
    }
    text[at++] = ']';
    text[at] = '\0';
    return text;
}
