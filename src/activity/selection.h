/* selection.h: selects events by step, rank, device and time, for any input format. */
#pragma once

#include "base/cancel.h"
#include "base/err.h"
#include "model/events.h"
#include "model/profile.h"
#include "opt/time_range.h"

struct selection_request {
    int64_t step; /* a number or STEP_OUTSIDE; others select all steps */
    int64_t rank; /* < 0: all ranks */
    const char *device_regexes; /* one must match "/gpu:0" or "/gpu:0/stream:7"; NULL: all */
    struct time_range range;    /* since the first event of the step; zeroed: everything */
    const struct event_store *made; /* of the step of a run, if the caller has it; NULL: made here */
};

/* Events in a store at a time.  Captures and traces have one store; of runs each step has one, which
 * is made when it is reached:
 *
 *     while (selection_next(&sel)) ... sel.s ... */
struct selection {
    const struct profile *p;
    struct selection_request request;
    struct cancel_mark cancel;
    bool has_steps; /* the profile has several steps, or marked ones */
    bool has_devices; /* stores so far have devices with work */
    /* Of the current store: */
    const struct event_store *s;
    uint8_t *tracks;       /* 1: selected */
    uint8_t *steps;        /* 1: selected */
    uint8_t *devices;      /* 1: has work, and is an accelerator unless no accelerator has work */
    uint32_t *track_begin; /* CSR of device_tracks, by device */
    uint32_t *device_tracks;
    bool has_range;
    int64_t from_ps, to_ps; /* on the common clock of all ranks */
    /* The following are private. */
    struct regexes *regexes;
    struct event_store *made;
    uint32_t next;
};

/* Initialises SEL. False with ERR (usage: invalid regex); otherwise free with selection_done(). */
bool selection_open(struct selection *sel, const struct profile *p,
                    const struct selection_request *request, struct cancel_mark cancel,
                    struct err *err);
/* Initialises SEL to select all events. */
void selection_open_all(struct selection *sel, const struct profile *p, struct cancel_mark cancel);
/* Advances to the next store; false: no more stores, or cancelled. */
bool selection_next(struct selection *sel);
/* Rewinds to before the first store. */
void selection_rewind(struct selection *sel);
/* False with ERR when the work was cancelled. */
bool selection_is_whole(const struct selection *sel, struct err *err);
void selection_done(struct selection *sel);

/* Returns the first start of an event with a length in the selected steps; 0: none. */
int64_t selection_first_start(const struct selection *sel);
/* Reads the events of TRACK that overlap the selected time, in any step. */
struct event_reader selection_reader(const struct selection *sel, uint32_t track);
/* Converts instant PS of TRACK to the common clock of all ranks. */
int64_t selection_instant(const struct selection *sel, uint32_t track, int64_t ps);
