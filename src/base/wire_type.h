/* wire_type.h: wire types of protocol buffers. */
#pragma once

enum wire_type {
    WIRE_VARINT = 0,
    WIRE_I64 = 1,
    WIRE_LEN = 2,
    WIRE_SGROUP = 3, /* read and skipped, never written */
    WIRE_EGROUP = 4,
    WIRE_I32 = 5,
};
