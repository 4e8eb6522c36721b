/* task_source.c: reads a source line in the background. */
#include "tui/source_text.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/xalloc.h"
#include "load/bytes/input.h"
#include "tui/tasks/task_jobs.h"
#include "tui/tasks/tasks.h"
#include "view/source_path.h"

enum { FILE_MAX_BYTES = 4 << 20, TEXT_MAX_BYTES = 400 };

struct source_job {
    const struct frame *frame; /* only compared, never dereferenced */
    struct strbuf path, text;
    int32_t line;
};

const char *source_text(struct app *a, const struct frame *frame)
{
    struct source_text *s = &a->doc.source;

    if (s->wanted != frame && s->read != frame) {
        s->wanted = frame;
        task_request(a, TASK_SOURCE);
    }
    s->wanted = frame;
    return s->read == frame && s->text.len ? sb_text(&s->text) : NULL;
}

void source_text_forget(struct source_text *s)
{
    s->wanted = s->read = NULL;
}

void source_text_done(struct source_text *s)
{
    sb_done(&s->text);
}

static bool source_start(struct app *a, void *arg)
{
    struct source_job *job = arg;

    if (!a->doc.result || !a->doc.source.wanted)
        return false;
    job->frame = a->doc.source.wanted;
    job->line = job->frame->lineno;
    source_path(&job->path, a->doc.result->options.source_map, a->doc.result->profile, job->frame);
    return true;
}

/* Start of line LINE of the text from AT to END; END if there are fewer lines. */
static const char *line_start(const char *at, const char *end, int32_t line)
{
    while (at < end && line > 1) {
        const char *newline = memchr(at, '\n', (size_t)(end - at));

        at = newline ? newline + 1 : end;
        line--;
    }
    return at;
}

/* Appends line LINE of BYTES without leading and trailing blanks. */
static void take_line(struct strbuf *text, const byte_vec *bytes, int32_t line)
{
    const char *end = (const char *)bytes->data + bytes->n;
    const char *at = line_start((const char *)bytes->data, end, line), *stop = at;

    while (at < end && (*at == ' ' || *at == '\t'))
        at++;
    for (stop = at; stop < end && *stop != '\n' && stop - at < TEXT_MAX_BYTES;)
        stop++;
    while (stop > at && strchr(" \t\r", stop[-1]))
        stop--;
    sb_add(text, at, (size_t)(stop - at));
}

/* The path comes from a profile: only a regular file is read, up to FILE_MAX_BYTES. */
static void source_run(void *arg, struct cancel_mark cancel)
{
    struct source_job *job = arg;
    byte_vec bytes = {0};
    struct err not_there = {0};
    struct stat st;
    const int fd = open_input(sb_text(&job->path), INPUT_REGULAR, &st, &not_there);

    if (fd >= 0 && input_read_all(fd, sb_text(&job->path), (size_t)st.st_size, FILE_MAX_BYTES,
                                  &bytes, cancel, &not_there) &&
        bytes.n)
        take_line(&job->text, &bytes, job->line);
    if (fd >= 0)
        close(fd);
    vec_done(&bytes);
    err_done(&not_there);
}

static bool source_is_same(const struct app *a, const void *arg)
{
    const struct source_job *job = arg;

    return job->frame == a->doc.source.wanted;
}

static void source_apply(struct app *a, void *arg)
{
    struct source_job *job = arg;
    struct source_text *s = &a->doc.source;

    sb_clear(&s->text);
    sb_add(&s->text, sb_text(&job->text), job->text.len);
    s->read = job->frame;
    if (s->text.len) {
        a->ui.details.result = NULL; /* updates the details */
        a->ui.is_drawn = false;
    }
}

static void source_done(void *arg)
{
    struct source_job *job = arg;

    EACH(sb_done, &job->path, &job->text);
}

const struct task source_task = {.queue = QUEUE_READ, .resumes = true,
                                 .depends = DEPENDS_ON_PROFILE, .is_same = source_is_same,
                                 .job_bytes = sizeof(struct source_job), .start = source_start,
                                 .run = source_run, .apply = source_apply, .done = source_done,
                                 .is_quiet = true};
