/* shrink.c: reduces a failing case: parts are removed, numbers and texts simplified, as long as the
 * failure stays the same (Zeller's delta debugging on trees, level by level: Misherghi and Su
 * 2006). */
#include <stdio.h>
#include <string.h>

#include "meaning/isolate.h"

enum { MAX_TRIES = 800, MAX_DEPTH = 100 };

struct shrinking {
    struct case_mode *mode;
    const struct outcome *found;
    struct case_tree *tree;
    unsigned n_tries;
};

/* True when T fails as the original case did. */
static bool still_fails(struct shrinking *s, const struct case_tree *t)
{
    struct outcome o;
    bool same;

    if (s->n_tries++ >= MAX_TRIES)
        return false;
    o = isolated_run_one(s->mode, t, s->found->number);
    same = o.failed && strcmp(sb_text(&o.cause), sb_text(&s->found->cause)) == 0;
    outcome_done(&o);
    return same;
}

/* Replaces the tree by SMALLER if it fails in the same way; SMALLER is empty afterwards. */
static bool take(struct shrinking *s, struct case_tree *smaller)
{
    const bool taken = still_fails(s, smaller);

    if (taken) {
        case_tree_done(s->tree);
        *s->tree = *smaller;
        memset(smaller, 0, sizeof *smaller);
    }
    case_tree_done(smaller);
    return taken;
}

static bool try_remove(struct shrinking *s, size_t from, size_t to)
{
    struct case_tree smaller;

    case_tree_copy(&smaller, s->tree);
    case_tree_remove(&smaller, from, to);
    return take(s, &smaller);
}

/* The end of up to N siblings from item I on. */
static size_t end_of_neighbours(const struct case_tree *t, size_t i, size_t n)
{
    const uint32_t depth = t->items.data[i].depth;

    for (; n > 0 && i < t->items.n && t->items.data[i].depth == depth; n--)
        i = case_tree_end(t, i);
    return i;
}

/* Removes N siblings of DEPTH at a time wherever the failure stays the same. */
static bool remove_by(struct shrinking *s, uint32_t depth, size_t n)
{
    bool any = false;

    for (size_t i = 0; i < s->tree->items.n && s->n_tries < MAX_TRIES;) {
        const size_t end = end_of_neighbours(s->tree, i, n);

        if (s->tree->items.data[i].depth != depth)
            i++;
        else if (try_remove(s, i, end))
            any = true;
        else
            i = end;
    }
    return any;
}

/* Removes parts, from files down to single fields. */
static bool remove_all(struct shrinking *s)
{
    bool any = false;

    for (uint32_t depth = 0; depth < MAX_DEPTH; depth++)
        for (size_t n = 32; n > 0; n /= 2)
            any = remove_by(s, depth, n) || any;
    return any;
}

static bool try_number(struct shrinking *s, size_t i, uint64_t value)
{
    struct case_tree smaller;

    if (s->tree->items.data[i].value == value)
        return false;
    case_tree_copy(&smaller, s->tree);
    smaller.items.data[i].value = value;
    return take(s, &smaller);
}

static bool try_text(struct shrinking *s, size_t i, size_t len)
{
    struct case_tree smaller;

    if (s->tree->items.data[i].text_len <= len)
        return false;
    case_tree_copy(&smaller, s->tree);
    smaller.items.data[i].text_len = len;
    return take(s, &smaller);
}

static void simplify(struct shrinking *s)
{
    for (size_t i = 0; i < s->tree->items.n && s->n_tries < MAX_TRIES; i++) {
        struct item *item = &s->tree->items.data[i];

        if (item->form != FORM_PLAIN) {
            struct case_tree plain;

            case_tree_copy(&plain, s->tree);
            plain.items.data[i].form = FORM_PLAIN;
            take(s, &plain);
        }
        item = &s->tree->items.data[i];
        if (item->kind == ITEM_NUMBER)
            (void)(try_number(s, i, 0) || try_number(s, i, 1));
        else if (item->kind == ITEM_BYTES || item->kind == ITEM_RAW)
            (void)(try_text(s, i, 0) || try_text(s, i, item->text_len / 2));
    }
}

static void shorten(struct shrinking *s)
{
    const unsigned max = s->mode->n_keys;

    for (unsigned n = max / 2; n > 0; n /= 2) {
        s->mode->n_keys -= n;
        if (!still_fails(s, s->tree))
            s->mode->n_keys += n;
    }
}

void shrink(struct case_mode *mode, struct case_tree *t, const struct outcome *found)
{
    struct shrinking s = {.mode = mode, .found = found, .tree = t};

    shorten(&s);
    for (int round = 0; round < 3 && remove_all(&s); round++)
        ;
    simplify(&s);
}
