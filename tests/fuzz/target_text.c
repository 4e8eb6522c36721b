/* target_text.c: messages in text form: protobuf-c can unpack what is accepted.  The first byte
 * selects the message. */
#include "load/text/text_reader.h"
#include "proto/checkpoint.pb-c.h"
#include "proto/graph.pb-c.h"
#include "proto/meta_graph.pb-c.h"
#include "proto/run_meta.pb-c.h"
#include "proto/tfprof.pb-c.h"
#include "targets.h"

static void read_as(const ProtobufCMessageDescriptor *message, const uint8_t *data, size_t size)
{
    struct text_source source = {
        .path = "fuzz", .text = data, .size_bytes = size, .message = message};
    struct strbuf wire = {0};
    struct err err = {0};

    if (text_to_wire(&source, &wire, &err)) {
        ProtobufCMessage *unpacked = protobuf_c_message_unpack(message, NULL, wire.len,
                                                               (const uint8_t *)sb_text(&wire));
        FUZZ_REQUIRE(unpacked != NULL);
        protobuf_c_message_free_unpacked(unpacked, NULL);
    } else {
        FUZZ_REQUIRE(err.kind == ERR_INPUT);
    }
    err_done(&err);
    sb_done(&wire);
}

void target_text(const uint8_t *bytes, size_t size)
{
    static const ProtobufCMessageDescriptor *const messages[] = {
        &tfp__graph_def__descriptor,      &tfp__run_metadata__descriptor,
        &tfp__op_log_proto__descriptor,   &tfp__profile_proto__descriptor,
        &tfp__meta_graph_def__descriptor, &tfp__checkpoint_state__descriptor,
    };

    if (size)
        read_as(messages[bytes[0] % (sizeof messages / sizeof *messages)], bytes + 1, size - 1);
}
