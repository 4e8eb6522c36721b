/* test_pairs.c: matching of a model with a changed copy of it, whose correct pairs are known. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "base/xalloc.h"
#include "fixtures/load_with.h"
#include "match/pairs.h"
#include "model/builder.h"

static const char *const models[] = {
    "models/resnet32/graph.pb.gz", "models/mobilenet/graph.pb.gz",
    "models/seq2seq/graph.pb.gz",  "models/towers/graph.pb.gz",
    "modern/while_if_module.saved_model.pb.gz",
};

/* ---- changes of names */

static void keep_name(struct strbuf *to, struct text name)
{
    sb_add(to, name.bytes, name.len);
}

static void other_scopes(struct strbuf *to, struct text name)
{
    if (memchr(name.bytes, '/', name.len))
        sb_adds(to, "renamed_");
    sb_add(to, name.bytes, name.len);
}

/* Adds to numbers after '_' at the end of a component, and before a suffix ("mul_1_grad"). */
static void renumber(struct strbuf *to, struct text name, long by)
{
    for (uint32_t i = 0; i < name.len;) {
        uint32_t end = i + 1;
        char digits[8] = "";

        while (name.bytes[i] == '_' && end < name.len && end - i < 7 && is_digit(name.bytes[end]))
            end++;
        if (end == i + 1 || (end < name.len && name.bytes[end] != '/' && name.bytes[end] != '_')) {
            sb_addc(to, name.bytes[i++]);
            continue;
        }
        memcpy(digits, name.bytes + i + 1, end - i - 1);
        sb_addf(to, "_%ld", strtol(digits, NULL, 10) + by);
        i = end;
    }
}

static void other_numbers(struct strbuf *to, struct text name)
{
    renumber(to, name, 10000);
}

/* Each node takes the former name of another one. */
static void next_numbers(struct strbuf *to, struct text name)
{
    renumber(to, name, 1);
}

static bool ends_with(struct text name, uint32_t len, const char *word)
{
    const uint32_t n = (uint32_t)strlen(word);

    return len >= n && memcmp(name.bytes + len - n, word, n) == 0;
}

/* In every group of four, two neighbours swap their names. */
static void other_towers(struct strbuf *to, struct text name)
{
    for (uint32_t i = 0; i < name.len; i++) {
        const char c = name.bytes[i];
        const bool ends = i + 1 == name.len || name.bytes[i + 1] == '/';

        if (ends && c >= '0' && c <= '3' &&
            (ends_with(name, i, "tower_") || ends_with(name, i, "unit_1_") ||
             ends_with(name, i, "layer_") || ends_with(name, i, "cell_")))
            sb_addc(to, (char)(((c - '0') ^ 1) + '0'));
        else
            sb_addc(to, c);
    }
}

/* ---- a changed copy of a model */

struct change {
    const char *what;
    void (*rename)(struct strbuf *to, struct text name);
    int64_t batch;         /* the first dimension of non-variables; 0: unchanged */
    bool adds, leaves_out; /* inserts a node after one node, or removes that node */
    bool names_hold;       /* a node with the former name of another one may be its pair */
};

static const struct change changes[] = {
    {.what = "the same", .rename = keep_name},
    {.what = "renamed scopes", .rename = other_scopes},
    {.what = "added node", .rename = keep_name, .adds = true},
    {.what = "removed node", .rename = keep_name, .leaves_out = true},
    {.what = "changed batch", .rename = keep_name, .batch = 77},
    {.what = "other numbers", .rename = other_numbers},
    {.what = "next numbers", .rename = next_numbers},
    {.what = "permuted towers", .rename = other_towers, .names_hold = true},
    {.what = "renamed, added", .rename = other_scopes, .adds = true},
    {.what = "renamed, removed", .rename = other_scopes, .leaves_out = true},
    {.what = "renamed, changed batch", .rename = other_scopes, .batch = 77},
    {.what = "other numbers, removed", .rename = other_numbers, .leaves_out = true},
};

static const char added[] = "added/Relu6";

struct copying {
    const struct profile *from;
    const struct change *change;
    struct builder *b;
    node_id middle; /* removed, or followed by a new node; NODE_NONE */
};

static strid new_name(struct copying *c, node_id node)
{
    const struct profile *p = c->from;
    const struct text old = {profile_text(p, p->name[node]),
                             intern_len(&p->strings, p->name[node])};
    struct strbuf name = {0};
    strid id;

    c->change->rename(&name, old);
    id = builder_str(c->b, sb_text(&name), name.len);
    sb_done(&name);
    return id;
}

/* Any node with one input and one consumer. */
static node_id find_middle(const struct profile *p)
{
    uint8_t *taken = xcalloc((size_t)p->n_nodes + 1, 1);
    node_id found = NODE_NONE;

    for (uint32_t i = 0; i < p->input_begin[p->n_nodes]; i++)
        if (p->inputs[i].source != NODE_NONE)
            taken[p->inputs[i].source] = 1;
    for (node_id node = p->n_nodes / 3; node < p->n_nodes && found == NODE_NONE; node++) {
        const struct node_input *input = &p->inputs[p->input_begin[node]];

        if (taken[node] && p->input_begin[node + 1] == p->input_begin[node] + 1 &&
            input->source != NODE_NONE && input->source != node)
            found = node;
    }
    free(taken);
    return found;
}

static strid source_name(struct copying *c, node_id source)
{
    const struct profile *p = c->from;

    if (source != c->middle)
        return new_name(c, source);
    if (c->change->leaves_out)
        return new_name(c, p->inputs[p->input_begin[source]].source);
    return builder_str(c->b, added, sizeof added - 1);
}

static void copy_shape(struct copying *c, node_id node, node_id copy)
{
    const struct profile *p = c->from;
    const struct shape *shape = &p->shapes[p->shape[node]];
    int64_t dims[8];

    if (!shape->n_dims || shape->n_dims > 8)
        return;
    memcpy(dims, shape->dims, shape->n_dims * sizeof *dims);
    if (c->change->batch && !strstr(profile_text(p, p->op[node]), "Var"))
        dims[0] = c->change->batch;
    builder_set_shape(c->b, copy, builder_shape(c->b, dims, shape->n_dims));
}

static void copy_node(struct copying *c, node_id node)
{
    const struct profile *p = c->from;
    const strid op =
        builder_str(c->b, profile_text(p, p->op[node]), intern_len(&p->strings, p->op[node]));
    bool is_new;
    const node_id copy = builder_node(c->b, new_name(c, node), op, &is_new);

    assert_true(is_new);
    copy_shape(c, node, copy);
    for (uint32_t i = p->input_begin[node]; i < p->input_begin[node + 1]; i++) {
        const struct node_input *input = &p->inputs[i];

        if (input->source != NODE_NONE)
            builder_add_input(c->b, copy, profile_input_position(p, node, i), source_name(c, input->source),
                              input->output_index, input->own_index);
    }
}

static void add_node(struct copying *c)
{
    bool is_new;
    const node_id node = builder_node(c->b, builder_str(c->b, added, sizeof added - 1),
                                      builder_str(c->b, "Relu6", 5), &is_new);

    builder_add_input(c->b, node, 0, new_name(c, c->middle), 0, 0);
}

/* Returns the copy.  TRUTH [n_nodes] maps each node of P to its copy; NODE_NONE: removed. */
static struct profile *copy_changed(const struct profile *p, const struct change *change,
                                    node_id *truth)
{
    struct copying c = {.from = p, .change = change, .b = builder_new(), .middle = NODE_NONE};
    strid *names = xcalloc((size_t)p->n_nodes + 1, sizeof *names);
    struct profile *copy;

    if (change->adds || change->leaves_out)
        c.middle = find_middle(p);
    for (node_id node = 0; node < p->n_nodes; node++) {
        names[node] = new_name(&c, node);
        if (node != c.middle || !change->leaves_out)
            copy_node(&c, node);
    }
    if (change->adds)
        add_node(&c);
    copy = builder_finish(c.b);
    for (node_id node = 0; node < p->n_nodes; node++)
        truth[node] = node == c.middle && change->leaves_out ? NODE_NONE
                                                             : profile_node_of(copy, names[node]);
    free(names);
    return copy;
}

static struct profile *load_model(const char *name)
{
    const char *top = getenv("top_srcdir");
    struct profile *p;
    struct err err = {0};
    char path[512];

    snprintf(path, sizeof path, "%s/tests/golden/%s", top ? top : ".", name);
    p = load_with(SETTINGS(NULL), path, &err);
    if (!p)
        fail_msg("%s", err_text(&err));
    return p;
}

static const struct cancel_mark never = {NULL, 0};

static bool has_name_of(const struct profile *p, node_id node, const struct profile *copy, node_id now)
{
    return strcmp(profile_text(p, p->name[node]), profile_text(copy, copy->name[now])) == 0;
}

static void check_pairs(const struct profile *p, const struct profile *copy, const node_id *truth,
                        const struct change *change)
{
    uint32_t n_true = 0, n_found = 0, n_wrong = 0;
    struct pairs pairs;

    pairs_make(&pairs, p, copy, NULL, never);
    for (node_id node = 0; node < p->n_nodes; node++) {
        const node_id now = pairs.now_of[node];
        const bool is_named = change->names_hold && now != NODE_NONE && has_name_of(p, node, copy, now);

        n_true += truth[node] != NODE_NONE;
        n_found += truth[node] != NODE_NONE && (now == truth[node] || is_named);
        if (now == NODE_NONE || now == truth[node] || is_named)
            continue;
        assert_int_equal(pairs.base_of[now], node);
        if (n_wrong++ < 3)
            printf("# %s is not %s, reason %d\n", profile_text(p, p->name[node]),
                   profile_text(copy, copy->name[now]), pairs.reason[now]);
    }
    printf("# %s: %u of %u found, %u wrong\n", change->what, n_found, n_true, n_wrong);
    pairs_done(&pairs);
    assert_int_equal(n_wrong, 0);
    assert_true(n_found * 100.0 >= n_true * 98.0);
}

static void no_pair_is_wrong_and_most_are_found(void **state)
{
    const size_t model = *(const size_t *)*state;
    struct profile *p = load_model(models[model]);
    node_id *truth = xcalloc((size_t)p->n_nodes + 1, sizeof *truth);

    for (size_t k = 0; k < sizeof changes / sizeof *changes; k++) {
        struct profile *copy = copy_changed(p, &changes[k], truth);

        check_pairs(p, copy, truth, &changes[k]);
        profile_free(copy);
    }
    free(truth);
    profile_free(p);
}

int main(void)
{
    static size_t which[] = {0, 1, 2, 3, 4};
    struct CMUnitTest tests[sizeof models / sizeof *models];

    for (size_t i = 0; i < sizeof models / sizeof *models; i++)
        tests[i] = (struct CMUnitTest){models[i], no_pair_is_wrong_and_most_are_found, NULL, NULL,
                                       &which[i]};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
