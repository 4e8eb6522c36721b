/* marks.c: step marks whose numbers are not unique. */
#include "load/xplane/run.h"

#include <inttypes.h>

#include "base/compare.h"

struct named_mark {
    struct run_mark *mark;
    uint32_t host;
    size_t at; /* index among the marks of its host */
    strid text;
};

typedef VEC(struct named_mark) named_marks;

/* Clocks of different hosts are not compared: a mark is ordered by its index on its own host. */
COMPARE_BY_TWO(by_place, struct named_mark, at, host)

static void collect(const struct run *r, named_marks *marks)
{
    for (uint32_t h = 0; h < r->hosts.n; h++)
        for (size_t i = 0; i < r->hosts.data[h].marks.n; i++)
            vec_push(marks, ((struct named_mark){
                                .mark = &r->hosts.data[h].marks.data[i], .host = h, .at = i}));
}

static bool ascend(const struct run_host *h)
{
    for (size_t i = 0; i < h->marks.n; i++)
        if (h->marks.data[i].number < 0 ||
            (i && h->marks.data[i - 1].number >= h->marks.data[i].number))
            return false;
    return true;
}

static bool are_numbered(const struct run_host *h)
{
    struct intern seen; /* numbers */
    bool unique = true;

    if (ascend(h))
        return true;
    intern_init(&seen);
    for (size_t i = 0; unique && i < h->marks.n; i++) {
        const int64_t number = h->marks.data[i].number;
        const size_t before = seen.n;

        intern_put(&seen, &number, sizeof number);
        unique = number >= 0 && seen.n > before;
    }
    intern_done(&seen);
    return unique;
}

bool marks_are_numbered(const struct run *r)
{
    vec_each(const struct run_host, h, &r->hosts)
        if (!are_numbered(h))
            return false;
    return true;
}

/* Marks of one key have one text and are counted. */
struct mark_key {
    int64_t number;
    uint32_t host;
    strid name;
};

static strid name_mark(struct loader *l, struct strbuf *text, const struct run_mark *mark,
                       uint64_t nth)
{
    const struct text name = intern_string(&builder_profile(l->builder)->strings, mark->name);

    sb_clear(text);
    sb_add(text, name.bytes, name.len);
    sb_addc(text, ' ');
    sb_add_int(text, mark->number);
    if (nth > 1)
        sb_addf(text, " (%" PRIu64 ")", nth);
    return builder_str(l->builder, sb_text(text), text->len);
}

static void name_marks(named_marks *marks, struct loader *l)
{
    struct strbuf text = {0};
    struct intern keys;
    VEC(uint64_t) counts = {0}; /* by key */

    intern_init(&keys);
    vec_each(struct named_mark, m, marks) {
        const struct mark_key key = {m->mark->number, m->host, m->mark->name};
        const strid id = intern_put(&keys, &key, sizeof key);

        vec_resize_zero(&counts, keys.n);
        m->text = name_mark(l, &text, m->mark, ++counts.data[id]);
    }
    intern_done(&keys);
    vec_done(&counts);
    sb_done(&text);
}

void marks_number(struct run *r, struct loader *l)
{
    named_marks marks = {0};
    struct intern steps;

    collect(r, &marks);
    name_marks(&marks, l);
    vec_sort(&marks, by_place);
    intern_init(&steps);
    r->steps.n = r->step_names.n = 0;
    for (size_t i = 0; i < marks.n; i++) {
        const strid text = marks.data[i].text;
        const strid step = intern_put(&steps, &text, sizeof text) - 1; /* id 0: "" */

        if (step == r->steps.n) {
            vec_push(&r->steps, (int64_t)step);
            vec_push(&r->step_names, text);
        }
        marks.data[i].mark->step = step;
    }
    intern_done(&steps);
    vec_done(&marks);
}
