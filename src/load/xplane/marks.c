/* marks.c: step marks whose numbers are not unique. */
#include "load/xplane/run.h"

#include <inttypes.h>

#include "base/compare.h"

struct named_mark {
    struct run_mark *mark;
    uint32_t host;
    size_t at; /* index among the marks of its host */
    uint64_t nth; /* number of equal marks on its host so far, from 1 */
    strid text;
};

typedef VEC(struct named_mark) named_marks;

COMPARE_BY_TWO(by_number, struct named_mark, host, mark->number)

COMPARE_CHAIN(by_host_and_name, struct named_mark,
              UP(host) || UP(mark->name) || UP(mark->number) || UP(at))

/* Clocks of different hosts are not compared: a mark is ordered by its index on its own host. */
COMPARE_BY_TWO(by_place, struct named_mark, at, host)

static void collect(const struct run *r, named_marks *marks)
{
    for (uint32_t h = 0; h < r->hosts.n; h++)
        for (size_t i = 0; i < r->hosts.data[h].marks.n; i++)
            vec_push(marks, ((struct named_mark){
                                .mark = &r->hosts.data[h].marks.data[i], .host = h, .at = i}));
}

bool marks_are_numbered(const struct run *r)
{
    named_marks marks = {0};
    bool unique = true;

    collect(r, &marks);
    vec_sort(&marks, by_number);
    for (size_t i = 0; unique && i < marks.n; i++)
        unique = marks.data[i].mark->number >= 0 &&
                 (!i || by_number(&marks.data[i - 1], &marks.data[i]) != 0);
    vec_done(&marks);
    return unique;
}

static void name_marks(named_marks *marks, struct loader *l)
{
    const struct intern *strings = &builder_profile(l->builder)->strings;
    struct strbuf text = {0};

    vec_sort(marks, by_host_and_name);
    for (size_t i = 0; i < marks->n; i++) {
        struct named_mark *m = &marks->data[i];
        const struct named_mark *before = i ? &marks->data[i - 1] : NULL;

        m->nth = before && before->host == m->host && before->mark->name == m->mark->name &&
                         before->mark->number == m->mark->number
                     ? before->nth + 1
                     : 1;
        sb_clear(&text);
        sb_add(&text, intern_text(strings, m->mark->name), intern_len(strings, m->mark->name));
        sb_addf(&text, " %" PRId64, m->mark->number);
        if (m->nth > 1)
            sb_addf(&text, " (%" PRIu64 ")", m->nth);
        m->text = builder_str(l->builder, sb_text(&text), text.len);
    }
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
