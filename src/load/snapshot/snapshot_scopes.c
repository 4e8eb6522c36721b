/* snapshot_scopes.c: scopes of allocations, from annotations at their instant (formats-snapshot.md section
 * 3). */
#include <string.h>

#include "base/compare.h"

#include "load/snapshot/snapshot.h"

static bool read_annotation(struct snapshot_build *s, pickle_value v, struct snapshot_annotation *a)
{
    struct pickle *p = &s->pickle;
    pickle_value stage, name, device;
    struct text word;

    if (pickle_kind(v) != PICKLE_DICT || pickle_is_incomplete(p, v))
        return false;
    pickle_open_dict(p, v);
    stage = pickle_field(p, KEY_STAGE);
    name = pickle_field(p, KEY_NAME);
    device = pickle_field(p, KEY_DEVICE);
    if (pickle_kind(stage) != PICKLE_TEXT || pickle_kind(name) != PICKLE_TEXT ||
        !pickle_time(p, pickle_field(p, KEY_TIME_US), &a->us))
        return false;
    word = pickle_text(p, stage);
    a->is_start = text_is(word, "START");
    if (!a->is_start && !text_is(word, "END"))
        return false;
    a->name = snapshot_str(s, name);
    a->device = 0;
    if (device != PICKLE_ABSENT && !pickle_size(p, device, &a->device))
        a->device = -1; /* of no trace */
    return true;
}

COMPARE_CHAIN(by_device_and_time, struct snapshot_annotation, UP(device) || UP(us) || UP(order))

void snapshot_annotations(struct snapshot_build *s, pickle_value list)
{
    uint32_t n;
    const pickle_value *elements = pickle_elements(&s->pickle, list, &n);

    for (uint32_t i = 0; i < n; i++) {
        struct snapshot_annotation a = {.order = i};

        if (!read_annotation(s, elements[i], &a))
            s->repairs[SNAPSHOT_bad_annotation]++;
        else if (a.device >= 0)
            vec_push(&s->annotations, a);
    }
    vec_sort(&s->annotations, by_device_and_time);
}

/* ---- open names */

void scope_begin(struct snapshot_build *s, struct open_scope *scope, int64_t device)
{
    const struct snapshot_annotation *all = s->annotations.data;
    const struct open_name head = {.name = STRID_EMPTY};
    size_t first = 0, end;

    while (first < s->annotations.n && all[first].device != device)
        first++;
    for (end = first; end < s->annotations.n && all[end].device == device;)
        end++;
    *scope = (struct open_scope){.text = STRID_NONE};
    scope->next = vec_from(&s->annotations, first);
    scope->end = vec_from(&s->annotations, end);
    vec_push(&scope->names, head);
}

void scope_end(struct open_scope *scope)
{
    vec_done(&scope->names);
    idmap_done(&scope->last_of_name);
}

static void open_name(struct open_scope *scope, strid name)
{
    const uint32_t same = idmap_get(&scope->last_of_name, name), at = (uint32_t)scope->names.n;
    const struct open_name opened = {.name = name, .before = scope->names.data[0].before,
                                     .same_name_before = same == IDMAP_NONE ? 0 : same};

    scope->names.data[opened.before].after = at;
    scope->names.data[0].before = at; /* the list is circular */
    vec_push(&scope->names, opened);
    idmap_put(&scope->last_of_name, name, at, 0);
}

/* Closes the innermost open NAME; false if there is none. */
static bool close_name(struct open_scope *scope, strid name)
{
    const uint32_t at = idmap_get(&scope->last_of_name, name);
    struct open_name closed;

    if (at == IDMAP_NONE || !at)
        return false;
    closed = scope->names.data[at];
    scope->names.data[closed.before].after = closed.after;
    scope->names.data[closed.after].before = closed.before;
    idmap_put(&scope->last_of_name, name, closed.same_name_before, 0);
    return true;
}

static strid text_of(struct snapshot_build *s, const struct open_scope *scope)
{
    static const char deep[] = "(nested too deep)", none[] = "(no annotation)", no_name[] = "(no name)";

    sb_clear(&s->text);
    for (uint32_t at = scope->names.data[0].after; at; at = scope->names.data[at].after) {
        const strid name = scope->names.data[at].name;
        const struct text text = intern_string(&builder_profile(s->builder)->strings, name);

        if (!budget_take(&s->names, text.len + 1, 1))
            return builder_str(s->builder, deep, sizeof deep - 1);
        if (s->text.len)
            sb_addc(&s->text, '/');
        sb_add(&s->text, text.len ? text.bytes : no_name, text.len ? text.len : sizeof no_name - 1);
    }
    return s->text.len ? builder_str(s->builder, s->text.data, s->text.len)
                       : builder_str(s->builder, none, sizeof none - 1);
}

strid scope_at(struct snapshot_build *s, struct open_scope *scope, int64_t us)
{
    for (; scope->next < scope->end && scope->next->us <= us; scope->next++) {
        if (scope->next->is_start)
            open_name(scope, scope->next->name);
        else if (!close_name(scope, scope->next->name))
            s->repairs[SNAPSHOT_end_without_start]++;
        scope->text = STRID_NONE;
    }
    if (scope->text == STRID_NONE)
        scope->text = text_of(s, scope);
    return scope->text;
}
