/* trace_ranks.c: determines the rank of each trace of a job (formats-trace.md section 8). */
#include <string.h>

#include "load/trace/trace_build.h"
#include "model/host.h"

int64_t rank_in_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    int64_t rank = -1;

    for (const char *at = slash ? slash + 1 : path; (at = strstr(at, "rank")) != NULL; at++) {
        const char *digits = at + 4 + (at[4] == '-' || at[4] == '_');
        int64_t number = 0;

        if (*digits < '0' || *digits > '9')
            continue;
        for (; *digits >= '0' && *digits <= '9' && number < INT32_MAX / 10; digits++)
            number = number * 10 + (*digits - '0');
        rank = number;
    }
    return rank;
}

static const char *path_of(const struct profile *p, const struct recorder *r)
{
    return p->files[r->file].path;
}

/* Sets the rank of a trace that has none: the number in its file name, else its index. */
static void name_rank(struct profile *p, struct recorder *r)
{
    if (r->rank >= 0)
        return;
    r->rank = rank_in_name(path_of(p, r));
    if (r->rank >= 0)
        return;
    r->rank = r->place;
    note_add(&p->notes, "%s: does not say its rank: taken as rank %u", path_of(p, r),
             (unsigned)r->place);
}

static bool is_wanted_rank(struct loader *l, int64_t rank)
{
    char name[HOST_OF_RANK_BYTES];

    return host_is_wanted(&l->hosts, host_of_rank(name, rank));
}

bool trace_ranks(struct loader *l, bool *is_wanted, struct err *err)
{
    struct profile *p = builder_profile(l->builder);
    struct recorder *last = &p->recorders[p->n_recorders - 1];

    last->place = l->n_traces++;
    if (l->hosts.regexes)
        name_rank(p, last);
    *is_wanted = is_wanted_rank(l, last->rank);
    if (!*is_wanted) {
        p->n_recorders--;
        return true;
    }
    last->rank_index = p->n_recorders - 1;
    if (p->n_recorders < 2)
        return true;
    for (uint32_t i = 0; i < p->n_recorders; i++)
        name_rank(p, &p->recorders[i]);
    for (uint32_t i = 0; i + 1 < p->n_recorders; i++) {
        const struct recorder *r = &p->recorders[i];

        if (r->world_size >= 0 && last->world_size >= 0 && r->world_size != last->world_size)
            return err_set(err, ERR_USAGE, "%s and %s are of jobs with different world_size",
                           path_of(p, r), path_of(p, last));
        if (r->rank == last->rank && r->rank_index < last->rank_index)
            last->rank_index = r->rank_index;
    }
    return true;
}

static bool share_a_step(const struct recorder *a, const struct step_mark *marks, size_t n_marks)
{
    if (!a->n_steps || !n_marks)
        return true; /* all is step 0 */
    for (uint32_t i = 0; i < a->n_steps; i++)
        for (size_t k = 0; k < n_marks; k++)
            if (a->steps[i].step == marks[k].step)
                return true;
    return false;
}

bool trace_rank_steps(const struct trace_build *b, struct err *err)
{
    const struct profile *p = builder_profile(b->builder);
    const struct recorder *last = b->recording;

    for (uint32_t i = 0; i + 1 < p->n_recorders; i++) {
        const struct recorder *r = &p->recorders[i];

        if (r->rank == last->rank && share_a_step(r, b->steps.data, b->steps.n))
            return err_set(err, ERR_USAGE, "%s and %s are the same steps of rank %lld",
                           path_of(p, r), path_of(p, last), (long long)r->rank);
    }
    return true;
}
