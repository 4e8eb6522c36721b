/* dictionary.c: prints a dictionary for libFuzzer: field names as text and as tags, operations,
 * options, keys.
 *
 *     dictionary >words.dict */
#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include <protobuf-c/protobuf-c.h>

#include "base/strbuf.h"
#include "base/wire_out.h"
#include "opt/options.h"
#include "proto/checkpoint.pb-c.h"
#include "proto/event.pb-c.h"
#include "proto/graph.pb-c.h"
#include "proto/hlo.pb-c.h"
#include "proto/meta_graph.pb-c.h"
#include "proto/run_meta.pb-c.h"
#include "proto/tfprof.pb-c.h"
#include "session/command_line.h"
#include "tui/action.h"

static void print_entry(const char *bytes, size_t len)
{
    putchar('"');
    for (size_t i = 0; i < len; i++) {
        const unsigned char c = (unsigned char)bytes[i];

        if (isalnum(c) || c == '_' || c == ' ')
            putchar(c);
        else
            printf("\\x%02x", c);
    }
    puts("\"");
}

static void print_word(const char *word)
{
    if (*word)
        print_entry(word, strlen(word));
}

enum { MAX_MESSAGES = 200 };

struct seen {
    const ProtobufCMessageDescriptor *messages[MAX_MESSAGES];
    size_t n;
};

static void see(struct seen *s, const ProtobufCMessageDescriptor *message)
{
    for (size_t i = 0; i < s->n; i++)
        if (s->messages[i] == message)
            return;
    if (s->n < MAX_MESSAGES)
        s->messages[s->n++] = message;
}

/* Prints the tag of FIELD for every wire type. */
static void print_tags(const ProtobufCFieldDescriptor *field)
{
    for (unsigned type = 0; type < 3; type++) {
        struct strbuf tag = {0};

        wire_varint(&tag, (uint64_t)field->id << 3 | type);
        print_entry(tag.data, tag.len);
        sb_done(&tag);
    }
}

static void print_message(struct seen *seen, const ProtobufCMessageDescriptor *message)
{
    for (unsigned i = 0; i < message->n_fields; i++) {
        const ProtobufCFieldDescriptor *field = &message->fields[i];
        const ProtobufCEnumDescriptor *words = field->descriptor;

        print_word(field->name);
        if (field->id >= 16) /* shorter tags are found without a dictionary */
            print_tags(field);
        if (field->type == PROTOBUF_C_TYPE_MESSAGE)
            see(seen, field->descriptor);
        else if (field->type == PROTOBUF_C_TYPE_ENUM)
            for (unsigned k = 0; k < words->n_values; k++)
                print_word(words->values[k].name);
    }
}

static void print_messages(void)
{
    struct seen seen = {
        .messages = {&tfp__graph_def__descriptor, &tfp__run_metadata__descriptor,
                     &tfp__op_log_proto__descriptor, &tfp__profile_proto__descriptor,
                     &tfp__saved_model__descriptor, &tfp__event__descriptor,
                     &tfp__checkpoint_state__descriptor, &tfp__bundle_header_proto__descriptor,
                     &tfp__bundle_entry_proto__descriptor, &tfp__saved_tensor_slices__descriptor,
                     &tfp__hlo_proto__descriptor},
        .n = 11,
    };

    for (size_t i = 0; i < seen.n; i++)
        print_message(&seen, seen.messages[i]);
}

static void print_options(void)
{
    for (size_t i = 0; i < option_table_n; i++) {
        const char *value;

        print_word(option_table[i].name);
        for (int k = 0; (value = option_value_name(&option_table[i], k)); k++)
            print_word(value);
    }
    for (size_t i = 0; command_table[i].name; i++)
        print_word(command_table[i].name);
}

static void print_actions(void)
{
    for (size_t i = 0; action_table[i].name; i++) {
        print_word(action_table[i].name);
        if (action_table[i].keys)
            print_word(action_table[i].keys);
    }
}

int main(void)
{
    static const char *const others[] = {
        /* attributes that shapes and counts depend on */
        "_output_shapes", "T", "dtype", "shape", "value", "strides", "padding", "VALID", "SAME",
        "EXPLICIT", "explicit_paddings", "data_format", "NHWC", "NCHW", "ksize", "dilations",
        "transpose_a", "adj_x", "equation", "axis", "N", "num_split", "keep_dims", "begin_mask",
        "body", "cond", "then_branch", "else_branch", "branches", "_class", "loc:@",
        "/device:GPU:0", "/job:worker/replica:0/task:0/device:CPU:0", ":stream:all", ":1", "^",
        /* keys */
        "\033[A", "\033[B", "\033[200~", "\033[201~", "\033[<0;1;1M", "\033[<64;3;3M", "\033[Z",
        "\033[8;1;1t", "\033[8;50;200t", "\033OP", "\033[5~", "<c-w>", "<ret>", "\r", "\t",
        /* regexes */
        "(?:", "(?=", "(?<!", "\\\\,", ".*", "[[:alpha:]]", "{1\\\\,3}", "\\\\K", "(?R)", "\\\\1", "\\\\d+",
        /* config and state */
        "tfprof state 1\n", "bind ", "set ", "end\n", "mark a scope ", "open scope ", "theme ",
    };

    print_messages();
    print_options();
    print_actions();
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        print_word(others[i]);
    return 0;
}
