/* spec.h: a view with its options. */
#pragma once

#include "opt/options.h"
#include "view/view.h"

struct spec {
    enum view_id view;
    struct options options; /* owned */
};
