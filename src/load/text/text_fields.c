/* text_fields.c: finds fields by name. */
#include "load/text/text_reader_priv.h"

#include <string.h>

#include "base/lower_bound.h"

static bool name_is(const ProtobufCFieldDescriptor *field, const char *name, size_t len)
{
    return strncmp(field->name, name, len) == 0 && field->name[len] == '\0';
}

/* Field names of older schemas (formats-runmeta, MemoryStats). */
static const struct {
    const char *message, *old_name;
    uint32_t id;
} old_fields[] = {
    {"MemoryStats", "host_temp_memory_size", 1},
    {"MemoryStats", "host_persistent_memory_size", 3},
    {"MemoryStats", "host_persistent_tensor_alloc_ids", 5},
};

static const ProtobufCFieldDescriptor *find_old_field(const ProtobufCMessageDescriptor *message,
                                                      const char *name, size_t len)
{
    for (size_t i = 0; i < sizeof old_fields / sizeof *old_fields; i++)
        if (strcmp(message->short_name, old_fields[i].message) == 0 &&
            strlen(old_fields[i].old_name) == len &&
            memcmp(old_fields[i].old_name, name, len) == 0)
            return protobuf_c_message_descriptor_get_field(message, old_fields[i].id);
    return NULL;
}

const ProtobufCFieldDescriptor *text_find_field(const ProtobufCMessageDescriptor *message,
                                                const char *name, size_t len)
{
    const unsigned *by_name = message->fields_sorted_by_name;
    const ProtobufCFieldDescriptor *fields = message->fields, *found;
    size_t at = 0;

    LOWER_BOUND(at, message->n_fields, i, strncmp(fields[by_name[i]].name, name, len) < 0);
    found = at < message->n_fields ? &fields[by_name[at]] : NULL;
    if (found && strncmp(found->name, name, len) == 0 && found->name[len] == '\0')
        return found;
    return find_old_field(message, name, len);
}

const ProtobufCFieldDescriptor *text_find_near(struct open_message *f, const struct text_token *t)
{
    const ProtobufCFieldDescriptor *end = f->message->fields + f->message->n_fields;
    const ProtobufCFieldDescriptor *near = f->recent ? f->recent : f->message->fields;
    const char *name = (const char *)t->begin;

    for (unsigned tries = 0; tries < 3 && near < end; tries++, near++)
        if (name_is(near, name, t->len))
            return f->recent = near;
    near = text_find_field(f->message, name, t->len);
    if (near)
        f->recent = near;
    return near;
}
