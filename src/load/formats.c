/* formats.c: the table of input formats. */
#include "load/formats.h"

#include "load/checkpoint/checkpoint_types.h"
#include "load/run/events.h"
#include "load/fits.h"
#include "load/graph/graphdef.h"
#include "load/graph/metagraph.h"
#include "load/run/oplog.h"
#include "load/run/profileproto.h"
#include "load/run/runmeta.h"
#include "load/bytes/tfrecord.h"
#include "proto/checkpoint.pb-c.h"
#include "proto/graph.pb-c.h"
#include "proto/meta_graph.pb-c.h"
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
                      .is_graph = true,
                      .fits = fits_graph,
                      .message = &tfp__graph_def__descriptor,
                      .load = load_graphdef,
                      .load_text = load_graphdef_text},
    [FORMAT_META_GRAPH] = {.name = "MetaGraphDef",
                           .binary_name = "MetaGraphDef, binary",
                           .text_name = "MetaGraphDef, text",
                           .keep_bytes = true,
                           .is_graph = true,
                           .fits = fits_meta_graph,
                           .message = &tfp__meta_graph_def__descriptor,
                           .load = load_metagraph},
    [FORMAT_SAVED_MODEL] = {.name = "SavedModel",
                            .binary_name = "SavedModel, binary",
                            .text_name = "SavedModel, text",
                            .keep_bytes = true,
                            .is_graph = true,
                            .fits = fits_saved_model,
                            .message = &tfp__saved_model__descriptor,
                            .load = load_savedmodel},
    [FORMAT_EVENTS] = {.name = "event file",
                       .binary_name = "event file",
                       .keep_bytes = true,
                       .is_graph = true,
                       .fits = fits_events,
                       .load = load_events,
                       .load_late = load_event_steps},
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
