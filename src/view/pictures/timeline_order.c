/* timeline_order.c: display order of tracks, their sections and short names. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/compare.h"
#include "base/utf8.h"
#include "base/xalloc.h"
#include "model/events.h"
#include "model/host.h"
#include "view/pictures/timeline_priv.h"

static struct text text_of(const struct timeline *l, strid id)
{
    return intern_string(&l->profile->strings, id);
}

/* ---- the order */

/* A track with its sort keys. */
struct keyed_track {
    const struct timeline_track *track;
    uint32_t section; /* by rank or host, in the order of the tracks; the baseline's is first */
    int64_t device_ticks; /* busy time of the busiest track of its device */
};

COMPARE_CHAIN(by_place, struct keyed_track,
              UP(section) || DOWN(track->is_accelerator) || DOWN(device_ticks) || UP(track->device) ||
              DOWN(track->busy_ticks) || UP(track->first))

static bool share_device(const struct timeline_track *a, const struct timeline_track *b)
{
    return a->device == b->device && a->rank == b->rank && timeline_share_place(a, b);
}

/* Numbers ranks or hosts by their first track, and finds the busiest track of each device; a
 * device's tracks are adjacent. */
static void set_sort_keys(const struct timeline *l, struct keyed_track *keyed_track)
{
    uint32_t *section_of, n_places = 0, n_sections = 0;

    for (size_t i = 0; i < l->tracks.n; i++)
        n_places = l->tracks.data[i].place >= n_places ? l->tracks.data[i].place + 1 : n_places;
    section_of = xcalloc((size_t)n_places + 1, sizeof *section_of);
    for (size_t i = 0, end; i < l->tracks.n; i = end) {
        const struct timeline_track *first = &l->tracks.data[i];
        int64_t busiest = 0;

        if (!section_of[first->place])
            section_of[first->place] = ++n_sections;
        for (end = i; end < l->tracks.n && share_device(first, &l->tracks.data[end]); end++)
            KEEP_MAX(busiest, l->tracks.data[end].busy_ticks);
        for (size_t k = i; k < end; k++)
            keyed_track[k] = (struct keyed_track){
                &l->tracks.data[k], 2 * section_of[first->place] + !first->is_base, busiest};
    }
    free(section_of);
}

/* ---- names */

static void add_text(struct strbuf *sb, struct text text)
{
    utf8_escape(sb, text.bytes, text.len);
}

/* Appends the last component of a device's name: "cpu:0". */
static void add_device(const struct timeline *l, const struct timeline_track *track,
                       struct strbuf *sb)
{
    static const char prefix[] = "device:";
    struct text name = text_of(l, track->device);

    for (uint32_t i = name.len; i-- > 0;)
        if (name.bytes[i] == '/') {
            name = (struct text){name.bytes + i + 1, name.len - i - 1};
            break;
        }
    if (name.len > strlen(prefix) && !memcmp(name.bytes, prefix, strlen(prefix)))
        name = (struct text){name.bytes + strlen(prefix), name.len - (uint32_t)strlen(prefix)};
    add_text(sb, name);
}

/* Appends "s17 Kernel" for "Stream #17(Kernel)". */
static void add_stream(struct strbuf *sb, struct text name)
{
    static const char prefix[] = "Stream #";
    struct strbuf stream = {0};

    if (!text_begins(name, prefix)) {
        add_text(sb, name);
        return;
    }
    sb_addc(&stream, 's');
    for (uint32_t i = (uint32_t)strlen(prefix); i < name.len; i++)
        if (name.bytes[i] != ')')
            sb_addc(&stream, name.bytes[i] == '(' ? ' ' : name.bytes[i]);
    utf8_escape(sb, sb_text(&stream), stream.len);
    sb_done(&stream);
}

static bool is_number(struct text name)
{
    const uint32_t sign = name.len > 1 && name.bytes[0] == '-';

    for (uint32_t i = sign; i < name.len; i++)
        if (name.bytes[i] < '0' || name.bytes[i] > '9')
            return false;
    return name.len > 0;
}

/* Returns "python" for "thread 123 (python)", as in traces of PyTorch. */
static struct text without_number(struct text name)
{
    static const char prefix[] = "thread ";
    const size_t len = strlen(prefix);
    const char *open = name.len ? memchr(name.bytes, '(', name.len) : NULL;

    if (name.len <= len || memcmp(name.bytes, prefix, len) || !open ||
        name.bytes[name.len - 1] != ')' || open + 2 >= name.bytes + name.len)
        return name;
    return (struct text){open + 1, (uint32_t)(name.bytes + name.len - open) - 2};
}

static void add_thread(const struct timeline *l, const struct timeline_track *track,
                       struct strbuf *sb)
{
    const struct text name = text_of(l, track->name);

    if (is_number(name))
        sb_adds(sb, track->is_accelerator ? "s" : "thread ");
    if (!name.len)
        sb_addf(sb, "#%" PRIu32, track->thread);
    else if (track->is_accelerator)
        add_stream(sb, name);
    else
        add_text(sb, without_number(name));
}

/* Appends the short name of TRACK; HAS_CPUS: its section has threads of several devices. */
static void add_short_name(const struct timeline *l, const struct timeline_track *track,
                           bool has_cpus, struct strbuf *sb)
{
    static const char *const kinds[] = {[DEVICE_GPU] = "GPU", [DEVICE_TPU] = "TPU"};

    if (track->is_accelerator && track->device_number >= 0 &&
        (track->device_kind == DEVICE_GPU || track->device_kind == DEVICE_TPU))
        sb_addf(sb, "%s%" PRId64 " ", kinds[track->device_kind], track->device_number);
    else if (track->is_accelerator || has_cpus || track->name == STRID_EMPTY) {
        add_device(l, track, sb);
        sb_addc(sb, ' ');
    }
    add_thread(l, track, sb);
}

/* Number of tracks of a section that have a name. */
struct named {
    uint32_t section, n;
};

typedef VEC(struct named) named_counts;

/* Counts the tracks called ID in SECTION; returns the number of the next one, from 1. */
static uint32_t count_name(named_counts *counts, strid id, uint32_t section)
{
    struct named *named;

    if (id >= counts->n)
        vec_resize_zero(counts, (size_t)id + 1);
    named = &counts->data[id];
    if (named->section != section)
        *named = (struct named){section, 0};
    return ++named->n;
}

/* True when the threads of SECTION are on several devices. */
static bool has_several_cpus(const struct timeline *l, const struct timeline_section *section)
{
    strid device = STRID_NONE;

    for (uint32_t i = section->first + section->n_streams; i < section->first + section->n; i++) {
        const strid next = l->tracks.data[l->order.data[i]].device;

        if (device != STRID_NONE && device != next)
            return true;
        device = next;
    }
    return false;
}

/* Names the tracks of SECTION; tracks with equal names get numbers from the second one on. */
static void name_tracks(struct timeline *l, const struct timeline_section *section,
                        named_counts *counts)
{
    const uint32_t number = (uint32_t)(section - l->sections.data) + 1;
    const bool has_cpus = has_several_cpus(l, section);
    struct strbuf name = {0};

    for (uint32_t i = section->first; i < section->first + section->n; i++) {
        struct timeline_track *track = &l->tracks.data[l->order.data[i]];
        uint32_t n;

        sb_clear(&name);
        add_short_name(l, track, has_cpus, &name);
        track->short_name = intern_put(&l->names, sb_text(&name), name.len);
        n = count_name(counts, track->short_name, number);
        if (n == 1)
            continue;
        sb_addf(&name, " (%" PRIu32 ")", n);
        track->short_name = intern_put(&l->names, sb_text(&name), name.len);
        count_name(counts, track->short_name, number);
    }
    sb_done(&name);
}

/* Sets the name of SECTION: its side, its rank or host, and the model of its devices. */
static void name_section(struct timeline *l, struct timeline_section *section)
{
    const struct timeline_track *track = &l->tracks.data[l->order.data[section->first]];
    const struct text host = host_of_device(text_of(l, track->device));
    const struct text model = text_of(l, track->model_name);
    struct strbuf name = {0};

    if (l->base)
        sb_adds(&name, track->is_base ? "baseline" : "now");
    if (track->rank >= 0)
        sb_addf(&name, "%srank %" PRId64, name.len ? "  " : "", track->rank);
    else if (host.len) {
        sb_adds(&name, name.len ? "  " : "");
        add_text(&name, host);
    }
    if (model.len) {
        sb_adds(&name, name.len ? "  " : "");
        add_text(&name, model);
    }
    section->name = intern_put(&l->names, sb_text(&name), name.len);
    sb_done(&name);
}

void timeline_make_order(struct timeline *l)
{
    struct keyed_track *keyed_track = xcalloc(l->tracks.n + 1, sizeof *keyed_track);
    named_counts counts = {0};

    set_sort_keys(l, keyed_track);
    qsort(keyed_track, l->tracks.n, sizeof *keyed_track, by_place);
    for (size_t i = 0; i < l->tracks.n; i++) {
        struct timeline_section *section;

        if (!i || keyed_track[i].section != keyed_track[i - 1].section)
            vec_push(&l->sections, ((struct timeline_section){.first = (uint32_t)i}));
        section = &l->sections.data[l->sections.n - 1];
        section->n++;
        section->n_streams += keyed_track[i].track->is_accelerator;
        vec_push(&l->order, (uint32_t)(keyed_track[i].track - l->tracks.data));
    }
    for (size_t i = 0; i < l->sections.n; i++) {
        name_tracks(l, &l->sections.data[i], &counts);
        name_section(l, &l->sections.data[i]);
    }
    vec_done(&counts);
    free(keyed_track);
}
