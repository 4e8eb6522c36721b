/* formats.c: the table of input formats. */
#include "load/formats.h"

#include "load/checkpoint_types.h"
#include "load/fits.h"
#include "load/graphdef.h"
#include "load/oplog.h"
#include "load/profileproto.h"
#include "load/runmeta.h"
#include "proto/checkpoint.pb-c.h"
#include "proto/graph.pb-c.h"
#include "proto/run_meta.pb-c.h"
#include "proto/tfprof.pb-c.h"

const struct format_row formats[FORMAT_COUNT] = {
    [FORMAT_PROFILE] = {.name = "ProfileProto",
                        .binary_name = "ProfileProto, binary",
                        .text_name = "ProfileProto, text",
                        .keep_bytes = true,
                        .fits = fits_profile,
                        .message = &tfp__profile_proto__descriptor,
                        .load = load_profileproto},
    [FORMAT_GRAPH] = {.name = "GraphDef",
                      .binary_name = "GraphDef, binary",
                      .text_name = "GraphDef, text",
                      .keep_bytes = true,
                      .fits = fits_graph,
                      .message = &tfp__graph_def__descriptor,
                      .load = load_graphdef,
                      .load_text = load_graphdef_text},
    [FORMAT_OP_LOG] = {.name = "OpLogProto",
                       .binary_name = "OpLogProto, binary",
                       .text_name = "OpLogProto, text",
                       .fits = fits_op_log,
                       .message = &tfp__op_log_proto__descriptor,
                       .load = load_oplog},
    [FORMAT_CHECKPOINT] = {.name = "checkpoint",
                           .binary_name = "checkpoint",
                           .fits = fits_checkpoint,
                           .message = &tfp__checkpoint_state__descriptor,
                           .load_path = load_checkpoint_path},
    [FORMAT_RUN_META] = {.name = "RunMetadata",
                         .binary_name = "RunMetadata, binary",
                         .text_name = "RunMetadata, text",
                         .fits = fits_run_meta,
                         .message = &tfp__run_metadata__descriptor,
                         .load = load_runmeta},
};
