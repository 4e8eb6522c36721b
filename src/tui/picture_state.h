/* picture_state.h: state of each picture: computed data, and its cursor. */
#pragma once

#include "base/vec.h"
#include "opt/view_list.h"
#include "view/pictures/flame_graph.h"
#include "view/pictures/memory_picture.h"
#include "view/pictures/roofline.h"
#include "view/pictures/timeline_top.h"

/* Pictures in the order of VIEW_LIST; last the table, which takes the same place. */
#define PICTURE_ID(name, id, ...) PICTURE_##id,
enum picture_id { VIEW_LIST(NO_VIEW, NO_VIEW, PICTURE_ID, NO_VIEW) PICTURE_TABLE, PICTURE_COUNT };
#undef PICTURE_ID

/* A zeroed struct is empty. */
struct flame_pane {
    struct flame_graph flame_graph;
    uint32_t made_for;           /* generation of the result; 0: none */
    struct tree *tree;           /* tree of `zooms`; a reference */
    VEC(row_id) zooms;           /* stack of zoomed rows; empty: the root */
    int top;                     /* first level in the window */
};

/* A zeroed struct is empty. */
struct memory_pane {
    struct memory_picture *picture; /* owned; for the displayed profile; NULL: not computed yet */
    int at;                         /* of struct memory_request */
    size_t allocator;
    enum memory_grouping by;
    int since;           /* of struct memory_request */
    bool shows_segments; /* lists segments instead of live memory */
    size_t row, top; /* selected row, and first row in the window */
};

/* A row of the timeline. */
struct timeline_line {
    size_t track;     /* for a heading, the first of its section */
    uint32_t section; /* in timeline.sections */
    bool is_head;     /* heading of a section */
};

/* A zeroed struct is empty. */
struct timeline_pane {
    struct timeline *timeline; /* owned; for the displayed profile; NULL: not computed yet */
    enum timeline_group_by by;
    VEC(struct timeline_line) lines;
    VEC(uint8_t) folded; /* by section */
    size_t at, top;      /* selected row, and first row in the window */
    size_t track;        /* of the selected row */
    struct timeline_top names; /* names in that track within the window */
    struct timeline_top host_names; /* names of host work while the device at the cursor is idle */
    int64_t at_ticks;    /* under the cursor */
    int64_t from_ticks, len_ticks; /* the window in time; length 0: the whole step */
    bool chooses_range;    /* the user is choosing a range from anchor_ticks to the cursor */
    int64_t anchor_ticks;
    VEC(uint32_t) matches;  /* [spans + 1] number of matches of the search before each span */
    uint32_t matches_of;    /* search.generation of `matches`; 0: none */
    int64_t search_ticks;   /* instant and track at which the search began */
    size_t search_track;
    node_id node;        /* node whose spans are highlighted */
    bool goes_to_node;   /* move the cursor to its first execution */
};

/* A zeroed struct is empty. */
struct roofline_pane {
    struct roofline *roofline; /* owned; for the displayed profile; NULL: not computed yet */
    uint32_t made_for;         /* generation of the result; 0: none */
    strid op;                  /* selected type, if it has a point */
    size_t at;                 /* selected point */
};

struct sheet; /* tui/tables/sheet.h */

/* A zeroed struct is empty: the first table, in its own order. */
struct table_pane {
    struct sheet *sheet; /* owned; NULL: not computed yet */
    uint32_t made_for;   /* generation of the result; 0: none */
    int view;            /* chosen table, an enum table_view; `sheet` may still be of another one */
    size_t at, top;      /* selected row, and first row in the window, in the displayed order */
    int page;            /* visible rows at the last drawing */
    size_t shift;        /* number of columns scrolled out after the first one */
    bool columns_follow; /* more columns follow on the right */
    int order;           /* 1 + column that it is ordered by; 0: the table's own order */
    const char *order_name; /* name of that column; static */
    char *filter, *filter_before; /* heap: regex list; NULL: all rows; while it is typed, the last one */
    size_t search_at;    /* row at the start of the search */
    bool ascending;
    VEC(const char *) hidden; /* names of columns that the user hides; static */
    char *rules; /* heap: file of rules for the table `check`; NULL: none */
};
