/* spec.h: a view with its options. */
#ifndef TFPROF_TUI_SPEC_H
#define TFPROF_TUI_SPEC_H

#include "opt/options.h"
#include "view/view.h"

struct spec {
    enum view_id view;
    struct options options; /* owned */
};

#endif
