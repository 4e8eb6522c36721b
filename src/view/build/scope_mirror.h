/* scope_mirror.h: the scope view with the backward pass below the forward pass, where its names mirror
 * those of the forward pass (doc/semantics.md section 4.1). */
#ifndef TFPROF_VIEW_SCOPE_MIRROR_H
#define TFPROF_VIEW_SCOPE_MIRROR_H

#include "view/build/builders.h"

/* True if REQUEST asks for it.  The loader has placed the backward pass of traces of PyTorch. */
bool scope_is_mirrored(const struct tree_request *request);
tree_build scope_mirror_build;

#endif
