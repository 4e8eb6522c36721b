/* checkpoint_bytes.c: any bytes as the contents of a checkpoint. */
#include "checkpoint_bytes.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/crc32c.h"
#include "base/wire_out.h"
#include "load/checkpoint/checkpoint.h"

/* A tensor that claims more is not read whole. */
enum { MOST_VALUES = 4096 };

static void write_file(const char *path, const void *bytes, size_t len)
{
    FILE *file = fopen(path, "wb");

    if (!file || fwrite(bytes, 1, len, file) != len || fclose(file))
        abort();
}

/* Nothing may be said twice or not at all. */
static void settle(bool ok, struct err *err)
{
    if (ok == (err->kind != ERR_NONE))
        abort();
    err_done(err);
}

static void read_all(const struct checkpoint *c)
{
    const struct cancel_mark never = {0};

    for (size_t i = 0; i < checkpoint_n_tensors(c); i++) {
        const struct checkpoint_tensor *t = checkpoint_tensor(c, i);
        struct checkpoint_values values;
        struct checkpoint_stats stats;
        struct err err = {0};
        bool ok = checkpoint_values_read(c, t, MOST_VALUES, &values, &err);

        if (ok && values.n > MOST_VALUES)
            abort();
        if (ok)
            checkpoint_values_done(&values);
        settle(ok, &err);
        ok = checkpoint_stats_compute(c, t, never, &stats, &err);
        if (ok && stats.n != (uint64_t)t->n_elements)
            abort();
        settle(ok, &err);
        checkpoint_find(c, t->name.bytes, t->name.len);
        checkpoint_find(c, t->full_name.bytes, t->full_name.len);
    }
}

static void open_and_read(const char *path)
{
    struct err err = {0};
    struct checkpoint *c = checkpoint_open(path, &err);

    if (c)
        read_all(c);
    settle(c != NULL, &err);
    checkpoint_close(c);
}

static void add_block(struct strbuf *table, const void *block, size_t len, struct strbuf *handle)
{
    wire_varint(handle, table->len);
    wire_varint(handle, len);
    sb_add(table, block, len);
    sb_addc(table, '\0');
    wire_fixed(table, crc32c_mask(crc32c_extend(0, table->data + table->len - len - 1, len + 1)),
               4);
}

/* A table of one block with these entries. */
static void make_table(struct strbuf *table, const uint8_t *entries, size_t len)
{
    static const char last_key[] = {0, 1, 3, '\xff'}; /* shared, fresh, value, key */
    struct strbuf block = {0}, handle = {0}, footer = {0};

    sb_add(&block, entries, len);
    wire_fixed(&block, 0, 4);
    wire_fixed(&block, 1, 4);
    add_block(table, block.data, block.len, &handle);
    sb_clear(&block);
    sb_add(&block, last_key, sizeof last_key);
    block.data[2] = (char)handle.len;
    sb_add(&block, handle.data, handle.len);
    wire_fixed(&block, 0, 4);
    wire_fixed(&block, 1, 4);
    wire_varint(&footer, 0);
    wire_varint(&footer, 0);
    add_block(table, block.data, block.len, &footer);
    sb_pad(&footer, '\0', 40 - footer.len);
    wire_fixed(&footer, UINT64_C(0xdb4775248b80fb57), 8);
    sb_add(table, footer.data, footer.len);
    sb_done(&block);
    sb_done(&handle);
    sb_done(&footer);
}

void checkpoint_bytes(const char *folder, const uint8_t *bytes, size_t size, size_t data_len)
{
    char prefix[256], index[300], data[300];
    struct strbuf table = {0};

    if (data_len > size)
        data_len = size;
    snprintf(prefix, sizeof prefix, "%s/c", folder);
    snprintf(index, sizeof index, "%s.index", prefix);
    snprintf(data, sizeof data, "%s.data-00000-of-00001", prefix);
    write_file(prefix, bytes, size);
    open_and_read(prefix);
    make_table(&table, bytes, size - data_len);
    write_file(index, table.data, table.len);
    write_file(data, bytes + size - data_len, data_len);
    open_and_read(prefix);
    sb_done(&table);
    unlink(prefix);
    unlink(index);
    unlink(data);
}
