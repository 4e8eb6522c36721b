/* test_nsys.c: exports of Nsight Systems: domains, payloads, marks, devices, and exports with
 * missing or renamed tables and columns. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include <sqlite3.h>
#include <stdlib.h>
#include <time.h>

#include "base/vec.h"
#include "base/xalloc.h"
#include "fixtures/load_bytes.h"
#include "fixtures/load_fixture.h"
#include "load/load.h"
#include "model/events.h"
#include "model/metric.h"

/* Two steps of a process with a kernel and a collective operation, launched inside ranges. */
static const char export_sql[] =
    "CREATE TABLE StringIds (id, value);"
    "INSERT INTO StringIds VALUES (1, 'cudaLaunchKernel_v7000'), (2, 'gemm'), (3, 'ncclDevKernel_AllReduce_Sum_f32'),"
    "  (4, 'NCCL'), (5, '{\"NCCL communicator ID\":77,\"Message size [bytes]\":4096,\"No. of ranks\":2}');"
    "CREATE TABLE META_DATA_EXPORT (name, value);"
    "CREATE TABLE TARGET_INFO_GPU (id, name, computeMajor);"
    "INSERT INTO TARGET_INFO_GPU VALUES (0, 'NVIDIA A', 8), (3, 'NVIDIA B', 9);"
    "CREATE TABLE TARGET_INFO_CUDA_DEVICE (gpuId, cudaId, pid);"
    "INSERT INTO TARGET_INFO_CUDA_DEVICE VALUES (3, 0, 1), (0, 1, 1), (0, 0, 2);"
    "CREATE TABLE PROCESSES (globalPid, pid, name);"
    "INSERT INTO PROCESSES VALUES (16777216, 1, 'python3');"
    "CREATE TABLE TARGET_INFO_SESSION_START_TIME (utcEpochNs, systemClockNs);"
    "INSERT INTO TARGET_INFO_SESSION_START_TIME VALUES (1700000000000000000, 5);"
    "CREATE TABLE ThreadNames (nameId, globalTid);"
    "INSERT INTO ThreadNames VALUES (4, 16777217);"
    "CREATE TABLE CUPTI_ACTIVITY_KIND_RUNTIME (start, end, globalTid, correlationId, nameId, eventClass);"
    "INSERT INTO CUPTI_ACTIVITY_KIND_RUNTIME VALUES (120, 130, 16777217, 7, 1, 0), (160, 170, 16777217, 8, 1, 0);"
    "CREATE TABLE CUPTI_ACTIVITY_KIND_KERNEL (start, end, deviceId, contextId, streamId, correlationId, globalPid,"
    "  demangledName, shortName, mangledName, graphNodeId, gridX, gridY, gridZ, blockX, blockY, blockZ,"
    "  registersPerThread, staticSharedMemory, dynamicSharedMemory);"
    "INSERT INTO CUPTI_ACTIVITY_KIND_KERNEL VALUES"
    "  (200, 260, 0, 1, 7, 7, 16777216, 2, 2, 2, NULL, 8, 1, 1, 32, 1, 1, 40, 0, 16),"
    "  (260, 360, 0, 1, 9, 8, 16777216, 3, 3, 3, NULL, 1, 1, 1, 32, 1, 1, 40, 0, 16);"
    "CREATE TABLE CUPTI_ACTIVITY_KIND_MEMCPY (start, end, deviceId, contextId, streamId, correlationId, globalPid, copyKind);"
    "INSERT INTO CUPTI_ACTIVITY_KIND_MEMCPY VALUES (400, 410, 0, 1, 7, 9, 16777216, 1);"
    "CREATE TABLE CUPTI_ACTIVITY_KIND_MEMSET (start, end, deviceId, contextId, streamId, correlationId, globalPid);"
    "CREATE TABLE CUPTI_ACTIVITY_KIND_GRAPH_TRACE (start, end, deviceId, streamId, correlationId, globalPid, graphId);"
    "CREATE TABLE CUPTI_ACTIVITY_KIND_SYNCHRONIZATION (start, end);"
    "CREATE TABLE CUPTI_ACTIVITY_KIND_OVERHEAD (start, end, globalPid, globalTid, nameId);"
    "CREATE TABLE NVTX_EVENTS (start, end, eventType, globalTid, text, textId, domainId, jsonText, jsonTextId);"
    "INSERT INTO NVTX_EVENTS VALUES"
    "  (100, 190, 59, 16777217, 'step 1', NULL, 0, NULL, NULL),"
    "  (110, 140, 59, 16777217, 'aten::mm', NULL, NULL, NULL, NULL),"
    "  (150, 180, 59, 16777217, 'ncclAllReduce', NULL, 5, NULL, 5),"
    "  (181, 185, 59, 16777217, 'ncclGroupEnd', NULL, 5, '{\"Message size', NULL),"
    "  (186, 187, 59, 33554433, 'other', NULL, 5, NULL, NULL),"
    "  (140, NULL, 34, 16777217, 'a mark', NULL, 0, NULL, NULL),"
    "  (141, NULL, 65, 16777217, NULL, 4, 0, NULL, NULL),"
    "  (150, 250, 60, 16777217, 'span', NULL, 0, NULL, NULL),"
    "  (0, NULL, 75, 16777217, NULL, 4, 5, NULL, NULL);";

/* Writes the export, modified by SQL, as NAME. */
static void write_export(const char *name, const char *sql)
{
    sqlite3_int64 size = 0;
    unsigned char *bytes;
    sqlite3 *db = NULL;

    assert_int_equal(sqlite3_open(":memory:", &db), SQLITE_OK);
    assert_int_equal(sqlite3_exec(db, export_sql, NULL, NULL, NULL), SQLITE_OK);
    if (sqlite3_exec(db, sql, NULL, NULL, NULL) != SQLITE_OK)
        fail_msg("%s: %s", sql, sqlite3_errmsg(db));
    bytes = sqlite3_serialize(db, "main", &size, 0);
    fixture_write(name, bytes, (size_t)size);
    sqlite3_free(bytes);
    sqlite3_close(db);
}

/* Loads NAME with -nvtx_steps STEPS; NULL: the default. */
static struct profile *load_steps(const char *name, const char *steps, struct err *err)
{
    const char *const path = fixture_path(name);
    struct options options;
    const struct load_request request = {.options = &options, .files = (const char **)(uintptr_t)&path, .n_files = 1};
    struct profile *p;

    options_init(&options);
    if (steps) {
        free(options.nvtx_steps);
        options.nvtx_steps = xstrdup(steps);
    }
    p = load_profile(&request, NULL, (struct cancel_mark){NULL, 0}, err);
    options_done(&options);
    return p;
}

static struct profile *load(const char *name, struct err *err)
{
    return load_steps(name, NULL, err);
}

static struct profile *load_export(const char *sql)
{
    struct err err = {0};
    struct profile *p;

    write_export("export.sqlite", sql);
    p = load("export.sqlite", &err);
    if (!p)
        fail_msg("%s: %s", sql, err_text(&err));
    return p;
}

static uint64_t count_of(const struct recorder *r, const struct profile *p, const char *phase)
{
    for (uint32_t i = 0; i < r->n_phases; i++)
        if (strcmp(profile_text(p, r->phases[i].name), phase) == 0)
            return r->phases[i].n;
    return 0;
}

/* ---- cases */

static void domains_are_types_of_ranges(void **state)
{
    struct profile *p = load_export("");

    (void)state;
    assert_string_equal(fixture_types(p, "ncclAllReduce"), "_NCCL|cpu_op|ncclAllReduce");
    assert_string_equal(fixture_types(p, "other"), "cpu_op|other"); /* of another process */
    assert_string_equal(fixture_types(p, "aten::mm"), "aten::mm|cpu_op");
    profile_free(p);
}

static void marks_are_counted(void **state)
{
    struct profile *p = load_export("");

    (void)state;
    assert_int_equal(count_of(&p->recorders[0], p, "i"), 2);
    assert_int_equal(count_of(&p->recorders[0], p, "b"), 1);
    assert_string_equal(profile_text(p, p->recorders[0].process), "python3");
    profile_free(p);
}

static const struct event_kind *kind_named(const struct profile *p, const char *name)
{
    for (uint32_t i = 0; i < p->events->n_kinds; i++)
        if (strcmp(profile_text(p, p->events->kinds[i].name), name) == 0)
            return &p->events->kinds[i];
    fail_msg("no event %s", name);
    return NULL;
}

/* Checks the step of a range "EPOCH 4 of 9" for the regex STEPS. */
static void steps_have_the_number_of_a_group(void **state)
{
    static const struct {
        const char *steps;
        int64_t step;
    } cases[] = {{"epoch ([0-9]+) of .*", 4}, {"epoch .* of .*", 9}, {"(epoch) .*", 0}, {NULL, 0}};

    (void)state;
    write_export("export.sqlite", "UPDATE NVTX_EVENTS SET text = 'epoch 4 of 9' WHERE text = 'step 1'");
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct err err = {0};
        struct profile *p = load_steps("export.sqlite", cases[i].steps, &err);

        assert_non_null(p);
        assert_int_equal(p->n_steps, 1);
        assert_int_equal(p->steps[0], cases[i].step);
        assert_true(fixture_has_note(p, "no NVTX range is a step") == (cases[i].step == 0));
        profile_free(p);
    }
}

static void payloads_give_the_size_of_a_collective(void **state)
{
    struct profile *p = load_export("");
    const struct event_kind *kind = kind_named(p, "ncclDevKernel_AllReduce_Sum_f32");

    (void)state;
    assert_int_equal(kind->input_bytes, 4096);
    assert_int_not_equal(kind->detail, 0);
    assert_string_equal(profile_text(p, p->events->collectives.data[kind->detail - 1].group_name), "77");
    assert_string_equal(profile_text(p, p->events->collectives.data[kind->detail - 1].group_ranks), "2");
    assert_true(fixture_has_note(p, "1 ranges of NCCL have no payload that can be read"));
    profile_free(p);
}

static void devices_have_names_and_work_has_a_context(void **state)
{
    struct profile *p = load_export("");
    const struct event_kind *kind = kind_named(p, "gemm");
    const struct profile_device *gpu = NULL;

    (void)state;
    for (size_t i = 0; i < p->events->devices.n; i++)
        if (p->events->devices.data[i].is_accelerator)
            gpu = &p->events->devices.data[i];
    assert_non_null(gpu);
    assert_string_equal(profile_text(p, gpu->model_name), "NVIDIA B");
    assert_int_equal(gpu->compute_major, 9);
    assert_string_equal(profile_text(p, p->events->configs.data[kind->config - 1].context), "1");
    profile_free(p);

    p = load_export("DROP TABLE TARGET_INFO_CUDA_DEVICE");
    for (size_t i = 0; i < p->events->devices.n; i++)
        if (p->events->devices.data[i].is_accelerator)
            assert_string_equal(profile_text(p, p->events->devices.data[i].model_name), "NVIDIA A");
    profile_free(p);

    /* devices of the process count before devices of all processes */
    p = load_export("DELETE FROM TARGET_INFO_CUDA_DEVICE;"
                    "INSERT INTO TARGET_INFO_CUDA_DEVICE VALUES (0, 0, 0), (3, 0, 1)");
    for (size_t i = 0; i < p->events->devices.n; i++)
        if (p->events->devices.data[i].is_accelerator)
            assert_string_equal(profile_text(p, p->events->devices.data[i].model_name), "NVIDIA B");
    profile_free(p);
}

/* CPU time of loading the export modified by SQL. */
static double seconds_of(const char *sql)
{
    struct err err = {0};
    struct profile *p;
    clock_t begin;
    double seconds;

    write_export("large.sqlite", sql);
    begin = clock();
    p = load("large.sqlite", &err);
    seconds = (double)(clock() - begin) / CLOCKS_PER_SEC;
    assert_non_null(p);
    profile_free(p);
    return seconds;
}

/* CPU time with many GPUs, and as many devices of process PID that are not among them. */
static double seconds_of_devices(int pid)
{
    char *sql = sqlite3_mprintf("WITH RECURSIVE n(i) AS (SELECT 100 UNION ALL SELECT i + 1 FROM n LIMIT 40000)"
                                "  INSERT INTO TARGET_INFO_GPU SELECT i, 'many', 8 FROM n;"
                                "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n LIMIT 40000)"
                                "  INSERT INTO TARGET_INFO_CUDA_DEVICE SELECT -i, i, %d FROM n", pid);
    const double seconds = seconds_of(sql);

    sqlite3_free(sql);
    return seconds;
}

static void many_devices_are_looked_up_by_id(void **state)
{
    const double others = seconds_of_devices(9), own = seconds_of_devices(1);

    (void)state;
    if (own > 8 * others + 0.1)
        fail_msg("%.2f s for devices of the process, %.2f s for those of another", own, others);
}

/* Copies by N processes; the caller frees the text. */
static char *many_processes(int n)
{
    return sqlite3_mprintf("WITH RECURSIVE n(i) AS (SELECT 3 UNION ALL SELECT i + 1 FROM n LIMIT %d)"
                           "  INSERT INTO CUPTI_ACTIVITY_KIND_MEMCPY"
                           "  SELECT 400, 410, 0, 1, 7, 9, i * 16777216, 1 FROM n", n);
}

static double seconds_of_processes(int n)
{
    char *sql = many_processes(n);
    const double seconds = seconds_of(sql);

    sqlite3_free(sql);
    return seconds;
}

static void many_processes_are_ranks_in_time(void **state)
{
    const double few = seconds_of_processes(500), many = seconds_of_processes(2000);

    (void)state;
    if (many > 16 * few + 0.2)
        fail_msg("%.2f s for 2000 processes, %.2f s for 500", many, few);
}

static void more_processes_than_the_size_allows_are_refused(void **state)
{
    struct err err = {0};
    char *sql = many_processes(10000);

    (void)state;
    write_export("processes.sqlite", sql);
    assert_null(load("processes.sqlite", &err));
    assert_non_null(strstr(err.text, "processes use devices"));
    err_done(&err);
    sqlite3_free(sql);
}

/* ---- other versions of the tables */

typedef VEC(char *) names;

static int take_name(void *context, int n, char **values, char **columns)
{
    names *list = context;

    (void)n, (void)columns;
    vec_push(list, sqlite3_mprintf("%s", values[0]));
    return 0;
}

static names list_names(const char *sql)
{
    names list = {0};
    sqlite3 *db = NULL;

    assert_int_equal(sqlite3_open(":memory:", &db), SQLITE_OK);
    assert_int_equal(sqlite3_exec(db, export_sql, NULL, NULL, NULL), SQLITE_OK);
    assert_int_equal(sqlite3_exec(db, sql, take_name, &list, NULL), SQLITE_OK);
    sqlite3_close(db);
    return list;
}

static void free_names(names *list)
{
    for (size_t i = 0; i < list->n; i++)
        sqlite3_free(list->data[i]);
    vec_done(list);
}

static bool is_one_of(const char *name, const char *const *list)
{
    for (; *list; list++)
        if (strcmp(name, *list) == 0)
            return true;
    return false;
}

/* Loads the export modified by FORMAT.  REFUSAL is the expected error; "" expects success. */
static void try_change(const char *format, const char *table, const char *column, const char *refusal)
{
    char *sql = sqlite3_mprintf(format, table, column);
    struct err err = {0};
    struct profile *p;

    write_export("changed.sqlite", sql);
    p = load("changed.sqlite", &err);
    if (*refusal) {
        if (p || !strstr(err_text(&err), refusal))
            fail_msg("%s: %s instead of %s", sql, p ? "loaded" : err_text(&err), refusal);
    } else {
        if (!p)
            fail_msg("%s: %s", sql, err_text(&err));
        profile_expect_whole(p);
        profile_free(p);
    }
    err_done(&err);
    sqlite3_free(sql);
}

static void missing_and_renamed_tables_have_no_rows(void **state)
{
    names tables = list_names("SELECT name FROM sqlite_master WHERE type = 'table'");

    (void)state;
    for (size_t i = 0; i < tables.n; i++) {
        const bool is_needed = strcmp(tables.data[i], "StringIds") == 0;

        try_change("DROP TABLE \"%w\"", tables.data[i], "", is_needed ? "changed.sqlite: an SQLite database" : "");
        try_change("ALTER TABLE \"%w\" RENAME TO other%.0s", tables.data[i], "",
                   is_needed ? "changed.sqlite: an SQLite database" : "");
    }
    free_names(&tables);
}

static void an_export_is_recognised_by_any_activity_table(void **state)
{
    struct profile *p = load_export("DROP TABLE META_DATA_EXPORT; DROP TABLE CUPTI_ACTIVITY_KIND_KERNEL;"
                                    "DROP TABLE CUPTI_ACTIVITY_KIND_RUNTIME; DROP TABLE CUPTI_ACTIVITY_KIND_MEMCPY;"
                                    "DROP TABLE CUPTI_ACTIVITY_KIND_MEMSET; DROP TABLE CUPTI_ACTIVITY_KIND_GRAPH_TRACE");

    (void)state;
    fixture_node(p, "aten::mm");
    profile_free(p);
}

/* The error for the export without COLUMN of TABLE. */
static char *refusal_of(const char *table, const char *column)
{
    static const char *const of_work[] = {"start", "end", "deviceId", "streamId", "correlationId", "globalPid", NULL},
                      *const of_calls[] = {"start", "end", "globalTid", "correlationId", "nameId", NULL},
                      *const of_ranges[] = {"start", "end", "eventType", "globalTid", NULL},
                      *const of_others[] = {"start", "end", NULL}, *const of_strings[] = {"id", "value", NULL},
                      *const of_none[] = {NULL};
    static const struct {
        const char *table;
        const char *const *columns;
    } required[] = {
        {"CUPTI_ACTIVITY_KIND_KERNEL", of_work}, {"CUPTI_ACTIVITY_KIND_MEMCPY", of_work},
        {"CUPTI_ACTIVITY_KIND_MEMSET", of_work}, {"CUPTI_ACTIVITY_KIND_GRAPH_TRACE", of_work},
        {"CUPTI_ACTIVITY_KIND_RUNTIME", of_calls}, {"NVTX_EVENTS", of_ranges},
        {"CUPTI_ACTIVITY_KIND_SYNCHRONIZATION", of_others}, {"CUPTI_ACTIVITY_KIND_OVERHEAD", of_others},
        {"StringIds", of_strings}};
    const char *const *columns = of_none;

    for (size_t i = 0; i < sizeof required / sizeof *required; i++)
        if (strcmp(table, required[i].table) == 0)
            columns = required[i].columns;
    return is_one_of(column, columns) ? sqlite3_mprintf("changed.sqlite: %s has no column %s", table, column)
                                      : sqlite3_mprintf("");
}

static void missing_and_renamed_columns_are_named_or_read_as_null(void **state)
{
    names tables = list_names("SELECT name FROM sqlite_master WHERE type = 'table'");

    (void)state;
    for (size_t i = 0; i < tables.n; i++) {
        char *sql = sqlite3_mprintf("SELECT name FROM pragma_table_info('%q')", tables.data[i]);
        names columns = list_names(sql);

        for (size_t k = 0; k < columns.n; k++) {
            char *refusal = refusal_of(tables.data[i], columns.data[k]);

            try_change("ALTER TABLE \"%w\" RENAME COLUMN \"%w\" TO newName", tables.data[i], columns.data[k], refusal);
            if (columns.n > 1)
                try_change("ALTER TABLE \"%w\" DROP COLUMN \"%w\"", tables.data[i], columns.data[k], refusal);
            sqlite3_free(refusal);
        }
        free_names(&columns);
        sqlite3_free(sql);
    }
    free_names(&tables);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(domains_are_types_of_ranges),
        cmocka_unit_test(marks_are_counted),
        cmocka_unit_test(payloads_give_the_size_of_a_collective),
        cmocka_unit_test(devices_have_names_and_work_has_a_context),
        cmocka_unit_test(many_devices_are_looked_up_by_id),
        cmocka_unit_test(many_processes_are_ranks_in_time),
        cmocka_unit_test(more_processes_than_the_size_allows_are_refused),
        cmocka_unit_test(steps_have_the_number_of_a_group),
        cmocka_unit_test(missing_and_renamed_tables_have_no_rows),
        cmocka_unit_test(an_export_is_recognised_by_any_activity_table),
        cmocka_unit_test(missing_and_renamed_columns_are_named_or_read_as_null),
    };

    return cmocka_run_group_tests(tests, fixture_setup, fixture_teardown);
}
