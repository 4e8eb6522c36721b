/* fuzz_text.c: text of messages: what is accepted becomes bytes that protobuf-c can unpack. */
#include <stdlib.h>

#include "load/text_reader.h"
#include "proto/graph.pb-c.h"
#include "proto/run_meta.pb-c.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void read_as(const ProtobufCMessageDescriptor *message, const uint8_t *data, size_t size)
{
    struct text_source source = {
        .path = "fuzz", .text = data, .size_bytes = size, .message = message};
    struct strbuf wire = {0};
    struct err err = {0};

    if (text_to_wire(&source, &wire, &err)) {
        ProtobufCMessage *unpacked = protobuf_c_message_unpack(message, NULL, wire.len,
                                                               (const uint8_t *)sb_text(&wire));
        if (!unpacked)
            abort();
        protobuf_c_message_free_unpacked(unpacked, NULL);
    } else if (err.kind != ERR_INPUT) {
        abort();
    }
    err_done(&err);
    sb_done(&wire);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    read_as(&tfp__graph_def__descriptor, data, size);
    read_as(&tfp__run_metadata__descriptor, data, size);
    return 0;
}
