/* test_captures.c: nodes, times, executions, steps and devices of small captures. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
/* clang-format off */
#include <cmocka.h>
/* clang-format on */

#include "base/strbuf.h"
#include "fixtures/capture_text.h"
#include "fixtures/load_fixture.h"
#include "fixtures/load_with.h"
#include "load/inputs/inputs.h"
#include "model/programs.h"
#include "model/metric.h"

static const char hlo[] = "HloModule f\n"
                          "ENTRY main { p = f32[8,16] parameter(0), metadata={op_name=\"x\"}\n"
                          "  q = f32[16,4] parameter(1)\n"
                          "  d = f32[8,4] dot(p, q), lhs_contracting_dims={1}, "
                          "rhs_contracting_dims={0}, metadata={op_name=\"jit(f)/net/dot_general\"}\n"
                          "  ROOT r = f32[8,4] add(d, d) }\n"
                          "end\n";

static void write_capture(const char *name, const char *head, const char *tail)
{
    struct strbuf text = {0}, bytes = {0};

    sb_adds(&text, "host; h\nplane; /host:metadata\nprogram; f(7); 7\n");
    sb_adds(&text, hlo);
    sb_adds(&text, head);
    sb_adds(&text, tail);
    capture_text(&bytes, sb_text(&text));
    fixture_write(name, bytes.data, bytes.len);
    sb_done(&text);
    sb_done(&bytes);
}

static struct profile *load(const char *name)
{
    struct err err = {0};
    struct profile *p = load_with(SETTINGS(NULL), fixture_path(name), &err);

    assert_string_equal(err_text(&err), "");
    assert_non_null(p);
    return p;
}

static struct exec exec_of(const struct profile *p, const char *node, int64_t step)
{
    struct exec e;

    assert_true(profile_exec(p, fixture_node(p, node), step, &e));
    return e;
}

/* ---- GPUs */

#define ON_F "; hlo_module=f; program_id=7"

static void kernels_are_executions_of_instructions(void **state)
{
    struct profile *p;
    struct exec e;

    (void)state;
    write_capture("gpu", "plane; /device:GPU:0\n",
                  "line; 7; Stream #7; 1000\n"
                  "event; k1; 0; 5000000; hlo_op=d; correlation_id=1; kernel_details=x" ON_F "\n"
                  "event; k2; 6000000; 1000000; hlo_op=a::d; correlation_id=1" ON_F "\n"
                  "event; k3; 8000000; 2000000; hlo_op=r; correlation_id=2" ON_F "\n"
                  "event; k1; 20000000; 5000001; hlo_op=d; correlation_id=3" ON_F "\n"
                  "event; k3; 30000000; 2000000; hlo_op=r; correlation_id=4" ON_F "\n"
                  "event; a/copy; 40000000; 7; memcpy_details=y; correlation_id=5\n"
                  "event; gone; 50000000; 9; hlo_op=lost; correlation_id=6" ON_F "\n");
    p = load("gpu");
    assert_int_equal(p->n_steps, 2);
    e = exec_of(p, "f/net/dot_general/d", 0);
    assert_int_equal(e.run_count, 1);
    assert_int_equal(e.accelerator_ps, 6000000);
    assert_int_equal(e.cpu_ps, 0);
    e = exec_of(p, "f/net/dot_general/d", 1);
    assert_int_equal(e.accelerator_ps, 5000001);
    assert_int_equal(exec_of(p, "(no HLO)/a|copy", 1).accelerator_ps, 7);
    assert_int_equal(exec_of(p, "f/(not in HLO)/lost", 1).accelerator_ps, 9);
    assert_string_equal(fixture_types(p, "(no HLO)/a|copy"), "/host:h/device:GPU:0|memcpy");
    assert_string_equal(fixture_types(p, "f/net/dot_general/d"),
                        "/host:h/device:GPU:0|dot|dot_general");
    assert_int_equal(p->programs->self_ps, 6000000 + 2000000 + 5000001 + 2000000 + 7 + 9);
    assert_true(fixture_has_note(p, "steps: 2 runs of f"));
    assert_true(fixture_has_note(p, "stacks for 1 ops"));
    assert_int_equal(p->static_float_ops[fixture_node(p, "f/net/dot_general/d")], 2 * 8 * 4 * 16);
    profile_free(p);
}

static void an_op_has_its_kernels_as_repeats(void **state)
{
    struct profile *p;

    (void)state;
    write_capture("alone", "plane; /device:GPU:0\n",
                  "line; 7; s; 1\n"
                  "event; a; 0; 10; hlo_op=d; correlation_id=1" ON_F "\n"
                  "event; b; 20; 10; hlo_op=d; correlation_id=2" ON_F "\n"
                  "event; a; 40; 10; hlo_op=d; correlation_id=3" ON_F "\n"
                  "event; b; 60; 10; hlo_op=d; correlation_id=4" ON_F "\n");
    p = load("alone");
    assert_int_equal(p->n_steps, 2);
    assert_int_equal(exec_of(p, "f/net/dot_general/d", 0).run_count, 1);
    assert_int_equal(exec_of(p, "f/net/dot_general/d", 1).accelerator_ps, 20);
    profile_free(p);
}

static void lines_of_viewers_do_not_count(void **state)
{
    struct profile *p;

    (void)state;
    write_capture("derived", "plane; /device:GPU:0\n",
                  "line; 7; s; 1\nevent; a; 0; 10; hlo_op=d; correlation_id=1" ON_F "\n"
                  "line; 3735928559; Steps; 1\nevent; 0; 0; 99\n"
                  "line; -559038736; Framework Ops; 1\nevent; a:B; 0; 99\n"
                  "line; 9; _counters_; 1\nevent; power; 0; 0\n");
    p = load("derived");
    assert_int_equal(p->programs->self_ps, 10);
    profile_free(p);
}

static void a_launch_names_its_kernel(void **state)
{
    struct profile *p;

    (void)state;
    write_capture("launch", "plane; /host:CPU\n",
                  "line; 1; main; 1\n"
                  "event; train; 0; 100; step_num=10; _r=1\n"
                  "event; cuLaunch; 10; 5; hlo_op=d; correlation_id=1" ON_F "\n"
                  "event; train; 1000; 100; step_num=11; _r=1\n"
                  "plane; /device:GPU:0\nline; 7; s; 1\n"
                  "event; a; 1500; 10; correlation_id=1\n"
                  "event; b; 1600; 10; correlation_id=9\n");
    p = load("launch");
    assert_int_equal(exec_of(p, "f/net/dot_general/d", 10).accelerator_ps, 10);
    assert_int_equal(exec_of(p, "(no HLO)/b", 11).accelerator_ps, 10);
    assert_true(fixture_has_note(p, "steps: 2, as marked in the capture"));
    profile_free(p);
}

/* Two threads launch in step 10 the kernels with ids 1, 3 and 5, of 1, 4 and 16 ps, and in step 11
 * those with ids 7 and 9.  Id 1 occurs twice, and 8 has no launch. */
static void launches_are_found_by_id(void **state)
{
    struct profile *p;

    (void)state;
    write_capture("ids", "plane; /host:CPU\n",
                  "line; 1; main; 1\n"
                  "event; train; 0; 100; step_num=10; _r=1\n"
                  "event; cuLaunch; 10; 5; correlation_id=5\n"
                  "event; cuLaunch; 20; 5; correlation_id=1\n"
                  "event; train; 1000; 100; step_num=11; _r=1\n"
                  "event; cuLaunch; 1010; 5; correlation_id=9\n"
                  "line; 2; other; 1\n"
                  "event; cuLaunch; 15; 5; correlation_id=3\n"
                  "event; cuLaunch; 1020; 5; correlation_id=1\n"
                  "event; cuLaunch; 1030; 5; correlation_id=7\n"
                  "plane; /device:GPU:0\nline; 7; s; 1\n"
                  "event; a; 1500; 256; hlo_op=d; correlation_id=9" ON_F "\n"
                  "event; a; 2500; 4; hlo_op=d; correlation_id=3" ON_F "\n"
                  "event; a; 2600; 1; hlo_op=d; correlation_id=1" ON_F "\n"
                  "event; a; 2700; 128; hlo_op=d; correlation_id=8" ON_F "\n"
                  "event; a; 3000; 64; hlo_op=d; correlation_id=7" ON_F "\n"
                  "event; a; 3100; 16; hlo_op=d; correlation_id=5" ON_F "\n");
    p = load("ids");
    assert_int_equal(exec_of(p, "f/net/dot_general/d", 10).accelerator_ps, 1 + 4 + 16);
    assert_int_equal(exec_of(p, "f/net/dot_general/d", 11).accelerator_ps, 64 + 128 + 256);
    profile_free(p);
}

/* ---- CPUs */

static void compiled_code_on_a_cpu_nests(void **state)
{
    struct profile *p;

    (void)state;
    write_capture("cpu", "plane; /host:CPU\n",
                  "line; 1; main; 1\n"
                  "event; r; 0; 100; hlo_op=r; run_id=5; device_ordinal=1" ON_F "\n"
                  "event; end: r; 5; 90\n"
                  "event; d; 10; 30; hlo_op=d; run_id=5; device_ordinal=1" ON_F "\n"
                  "event; d; 200; 30; hlo_op=d; run_id=6; device_ordinal=1" ON_F "\n");
    p = load("cpu");
    assert_int_equal(p->n_steps, 2);
    assert_int_equal(exec_of(p, "f/r", 0).cpu_ps, 70);
    assert_int_equal(exec_of(p, "f/net/dot_general/d", 1).cpu_ps, 30);
    assert_string_equal(profile_text(p, p->device[fixture_node(p, "f/r")]), "/host:h/device:CPU:1");
    assert_true(fixture_has_note(p, "no device in this capture: CPU times only"));
    profile_free(p);
}

static void framework_ops_are_identified_by_names(void **state)
{
    struct profile *p;

    (void)state;
    write_capture("ops", "plane; /host:CPU\n",
                  "line; 1; main; 1\n"
                  "event; EagerExecute; 0; 100; eager_op=Sum; is_func=0\n"
                  "event; a/b:MatMul; 10; 50\n"
                  "event; Iterator::Root::Map; 20; 5\n"
                  "event; $a.py:3 f; 0; 500\n"
                  "event; whatever; 0; 500\n");
    p = load("ops");
    assert_int_equal(exec_of(p, "(eager)/Sum", 0).cpu_ps, 50);
    assert_int_equal(exec_of(p, "a/b", 0).cpu_ps, 45);
    assert_int_equal(exec_of(p, "Iterator::Root::Map", 0).cpu_ps, 5);
    assert_int_equal(p->programs->self_ps, 100);
    assert_string_equal(profile_text(p, p->op[fixture_node(p, "a/b")]), "MatMul");
    profile_free(p);
}

static struct profile *load_set(const char *name, const char *option, const char *value)
{
    struct err err = {0};
    struct profile *p = load_with(SETTINGS(option, value), fixture_path(name), &err);

    assert_non_null(p);
    return p;
}

static void calls_are_identified_by_paths(void **state)
{
    struct profile *p;

    (void)state;
    write_capture("calls", "plane; /host:CPU\n",
                  "line; 1; main; 1\n"
                  "event; $a.py:1 f; 0; 1000\n"
                  "event; $b.py:2 g; 10; 100\n"
                  "event; a/b:MatMul; 20; 30\n"
                  "event; $b.py:2 g; 2000; 5\n"
                  "event; loop/x; 0; 4\n"
                  "event; Buffer::Await; 3000; 6\n");
    p = load_set("calls", "host_events", "all");
    assert_int_equal(exec_of(p, "(runtime)/Buffer::Await", 0).wait_ps, 6);
    assert_int_equal(exec_of(p, "(runtime)/loop|x", 0).wait_ps, 0);
    assert_int_equal(exec_of(p, "(python)/a.py:1:f", 0).cpu_ps, 900);
    assert_int_equal(exec_of(p, "(python)/b.py:2:g", 0).cpu_ps, 5);
    assert_int_equal(exec_of(p, "(python)/b.py:2:g #2", 0).cpu_ps, 70);
    assert_int_equal(exec_of(p, "(runtime)/loop|x", 0).cpu_ps, 4);
    assert_int_equal(profile_stack(p, p->stack[fixture_node(p, "(python)/b.py:2:g #2")])->n_frames, 2);
    profile_free(p);
    p = load_set("calls", "host_events", "ops");
    assert_int_equal(p->n_nodes, 1);
    profile_free(p);
}

/* Node names contain the first 256 bytes of the program name. */
static void programs_with_long_names_are_distinguished(void **state)
{
    enum { LABEL = 256 };
    char name[LABEL + 1];
    struct strbuf events = {0}, node = {0};
    struct profile *p;

    (void)state;
    memset(name, 'm', LABEL);
    name[LABEL] = '\0';
    sb_adds(&events, "line; 7; s; 1\n");
    for (int id = 8; id <= 9; id++)
        sb_addf(&events,
                "event; k; %d; 10; hlo_op=o; correlation_id=%d; hlo_module=%s%d; program_id=%d\n",
                100 * id, id, name, id, id);
    write_capture("long", "plane; /device:GPU:0\n", sb_text(&events));
    p = load("long");
    for (int id = 8; id <= 9; id++) {
        sb_clear(&node);
        sb_addf(&node, "%s(%d)/(not in HLO)/o", name, id);
        assert_int_equal(exec_of(p, sb_text(&node), 0).accelerator_ps, 10);
    }
    profile_free(p);
    sb_done(&node);
    sb_done(&events);
}

static void deep_stacks_are_truncated_with_a_note(void **state)
{
    enum { CALLS = 300, KEPT = 256 };
    struct strbuf events = {0};
    struct profile *p;
    bool said = false;

    (void)state;
    sb_adds(&events, "line; 1; main; 1\n");
    for (int i = 0; i < CALLS; i++)
        sb_addf(&events, "event; $a.py:1 f%d; %d; %d\n", i, i, 10000 - 2 * i);
    write_capture("deep", "plane; /host:CPU\n", sb_text(&events));
    p = load_set("deep", "host_events", "all");
    assert_int_equal(profile_stack(p, p->stack[fixture_node(p, "(python)/a.py:1:f255")])->n_frames, KEPT);
    assert_int_equal(profile_stack(p, p->stack[fixture_node(p, "(python)/a.py:1:f299")])->n_frames, KEPT);
    for (size_t i = 0; i < p->notes.n; i++)
        said |= strstr(p->notes.data[i].text, "44 stacks of Python calls truncated to the innermost") != NULL;
    assert_true(said);
    profile_free(p);
    sb_done(&events);
}

static void without_ops_all_events_are_shown(void **state)
{
    struct profile *p;

    (void)state;
    write_capture("no_ops", "plane; /host:CPU\n", "line; 1; main; 1\nevent; $a.py:1 f; 0; 1000\n");
    p = load("no_ops");
    assert_int_equal(exec_of(p, "(python)/a.py:1:f", 0).cpu_ps, 1000);
    assert_true(fixture_has_note(p, "no ops in this capture"));
    profile_free(p);
}

static void devices_are_split_by_name(void **state)
{
    struct profile *p;
    uint32_t n;

    (void)state;
    write_capture("split", "plane; /device:GPU:0\nline; 7; s; 1\n"
                           "event; a; 0; 10; hlo_op=d; correlation_id=1" ON_F "\n",
                  "plane; /device:GPU:1\nline; 7; s; 1\n"
                  "event; a; 0; 20; hlo_op=d; correlation_id=2" ON_F "\n");
    p = load_set("split", "devices", "split");
    assert_int_equal(exec_of(p, "h:GPU:1/f/net/dot_general/d", 0).accelerator_ps, 20);
    profile_free(p);
    p = load_set("split", "devices", "join");
    assert_int_equal(exec_of(p, "f/net/dot_general/d", 0).accelerator_ps, 30);
    profile_devices(p, fixture_node(p, "f/net/dot_general/d"), &n);
    assert_int_equal(n, 2);
    profile_free(p);
}

/* Checks the count and the total time of the executions of NODE on DEVICE. */
static void check_total(const struct profile *p, node_id node, strid device, int64_t n, int64_t ps)
{
    uint8_t *counted = calloc(p->strings.n, 1);
    int64_t run_count, time_ps;

    assert_non_null(counted);
    counted[device] = 1;
    profile_exec_total(p, node, counted, &run_count, &time_ps);
    assert_int_equal(run_count, n);
    assert_int_equal(time_ps, ps);
    free(counted);
}

/* Two kernels in one execution; three executions on one GPU and one on the other. */
static void executions_are_measured_on_each_device(void **state)
{
    const struct programs *c;
    struct profile *p;
    uint32_t at;
    node_id node;

    (void)state;
    write_capture("measured", "plane; /device:GPU:1\nline; 7; s; 1\n"
                              "event; a; 0; 4000000; hlo_op=d; correlation_id=1" ON_F "\n",
                  "plane; /device:GPU:0\nline; 7; s; 1\n"
                  "event; a; 0; 9000000; hlo_op=d; correlation_id=2" ON_F "\n"
                  "event; b; 9000000; 3000000; hlo_op=d; correlation_id=2" ON_F "\n"
                  "event; k; 20000000; 1; hlo_op=r; correlation_id=3" ON_F "\n"
                  "event; a; 30000000; 8000000; hlo_op=d; correlation_id=4" ON_F "\n"
                  "event; b; 40000000; 1000000; hlo_op=d; correlation_id=4" ON_F "\n"
                  "event; k; 50000000; 1; hlo_op=r; correlation_id=5" ON_F "\n"
                  "event; b; 60000000; 5000000; hlo_op=d; correlation_id=6" ON_F "\n");
    p = load("measured");
    c = p->programs;
    node = fixture_node(p, "f/net/dot_general/d");
    at = c->device_begin[node];
    assert_int_equal(c->device_begin[node + 1] - at, 2);
    assert_string_equal(profile_text(p, c->node_devices[at]), "/host:h/device:GPU:0");
    check_total(p, node, c->node_devices[at], 3, 26000000);
    check_total(p, node, c->node_devices[at + 1], 1, 4000000);
    profile_free(p);
}

/* Line 1 has ops, so they wait for its input processing; line 2 works ahead. */
static void steps_and_input_are_measured(void **state)
{
    const struct programs *c;
    struct profile *p;

    (void)state;
    write_capture("measured", "plane; /host:CPU\n",
                  "line; 1; python; 1000\n"
                  "event; train; 0; 1000; step_num=4; _r=1\n"
                  "event; Iterator::Root; 100; 300\n"
                  "event; a:MatMul; 500; 50\n"
                  "event; train; 1000; 1000; step_num=5; _r=1\n"
                  "event; a:MatMul; 1500; 70\n"
                  "event; Iterator::Root; 1600; 100\n"
                  "event; a:MatMul; 1800; 5\n"
                  "line; 2; ahead; 1000\n"
                  "event; Iterator::Root::Map; 0; 900\n");
    p = load("measured");
    c = p->programs;
    assert_int_equal(c->n_inputs, 1);
    assert_int_equal(c->inputs[0].waited_ps, 400);
    assert_int_equal(c->inputs[0].within_ps, 2000);
    assert_int_equal(c->n_step_devices, 2);
    assert_int_equal(c->step_devices[0].step, 4);
    assert_int_equal(c->step_devices[0].self_ps, 300 + 50 + 900);
    assert_int_equal(c->step_devices[1].step, 5);
    assert_int_equal(c->step_devices[1].self_ps, 70 + 100 + 5);
    assert_int_equal(c->step_devices[1].collective_ps, 0);
    profile_free(p);
}

/* COUNTED: count the executions on this device only; NULL: on all devices. */
static int64_t peak_bytes_on(const struct profile *p, const char *node, int64_t step,
                             const char *counted)
{
    uint8_t *devices = calloc(p->strings.n, 1);
    const struct figures figures = {.profile = p, .static_float_ops = p->static_float_ops,
                                    .step = step, .counted_devices = counted ? devices : NULL};
    bool saturated = false;
    int64_t bytes;

    assert_non_null(devices);
    if (counted)
        devices[intern_find(&p->strings, counted, strlen(counted))] = 1;
    bytes = metric_self(&figures, METRIC_PEAK_BYTES, fixture_node(p, node), &saturated);
    free(devices);
    return bytes;
}

static int64_t peak_bytes(const struct profile *p, const char *node, int64_t step)
{
    return peak_bytes_on(p, node, step, NULL);
}

/* Arguments are never executed; they exist on every device that runs their program. */
static void arguments_hold_memory_while_their_program_runs(void **state)
{
    static const char text[] =
        "host; h\nplane; /host:metadata\nprogram; f(7); 7\n"
        "HloModule f\n"
        "ENTRY main { p = f32[8,16] parameter(0)\n ROOT t = f32[8,16] tanh(p) }\n"
        "buffer 1 512 0 p buffer 2 512 0 t\n"
        "allocation 512 0 parameter : 1\nallocation 512 0 live_out : 2\nend\n"
        "plane; /host:CPU\nline; 1; python; 1\n"
        "event; train; 0; 100; step_num=1; _r=1\n"
        "event; launch; 1; 1; correlation_id=1\nevent; launch; 2; 1; correlation_id=2\n"
        "event; train; 100; 100; step_num=2; _r=1\nevent; launch; 101; 1; correlation_id=3\n"
        "plane; /device:GPU:0\nline; 7; s; 1\n"
        "event; k; 10; 5; hlo_op=t; correlation_id=1" ON_F "\n"
        "event; k; 110; 5; hlo_op=t; correlation_id=3" ON_F "\n"
        "plane; /device:GPU:1\nline; 7; s; 1\n"
        "event; k; 10; 5; hlo_op=t; correlation_id=2" ON_F "\n";
    struct strbuf bytes = {0};
    struct profile *p;

    (void)state;
    capture_text(&bytes, text);
    fixture_write("held", bytes.data, bytes.len);
    p = load("held");
    assert_int_equal(peak_bytes(p, "f/p", 1), 2 * 512);
    assert_int_equal(peak_bytes(p, "f/p", 2), 512);
    assert_int_equal(peak_bytes(p, "f/p", 3), 0);
    assert_int_equal(peak_bytes(p, "f/p", -1), 3 * 512 / 2);
    assert_int_equal(peak_bytes(p, "f/t", -1), 3 * 512 / 2);
    for (int i = 0; i < 2; i++) {
        const char *node = i ? "f/t" : "f/p";

        assert_int_equal(peak_bytes_on(p, node, 1, "/host:h/device:GPU:0"), 512);
        assert_int_equal(peak_bytes_on(p, node, 2, "/host:h/device:GPU:1"), 0);
        assert_int_equal(peak_bytes_on(p, node, -1, "/host:h/device:GPU:1"), 512);
        assert_int_equal(peak_bytes_on(p, node, STEP_ALL, "/host:h/device:GPU:0"), 2 * 512);
    }
    profile_free(p);
    sb_done(&bytes);
}

/* GPU peaks follow from cores, clock and architecture, unless the file states them. */
static void peaks_follow_from_the_architecture(void **state)
{
    static const struct {
        const char *about;
        double flops, bytes_per_s;
    } cases[] = {
        {"device_vendor=AMD; core_count=304; clock_rate=2100000; memory_bandwidth=2662400000000; "
         "compute_cap_major=9; compute_cap_minor=4", 1307443200000000.0, 2662400000000.0},
        {"device_vendor=AMD; core_count=256; clock_rate=2400000; gpu_device_name=gfx950:sramecc+",
         2516582400000000.0, 0},
        {"device_vendor=Nvidia; core_count=132; clock_rate=1755000; compute_cap_major=9",
         132 * 1755e6 * 4096, 0},
        {"device_vendor=Nvidia; core_count=132; clock_rate=1755000; compute_cap_major=99", 0, 0},
        {"peak_teraflops_per_second=100.5; peak_hbm_bw_gigabytes_per_second=1200.0",
         100.5e12, 1200e9},
    };

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct strbuf head = {0};
        struct profile *p;

        sb_addf(&head, "plane; /device:GPU:0\nabout; %s\n", cases[i].about);
        write_capture("peaks", sb_text(&head),
                      "line; 7; s; 1\nevent; a; 0; 10; hlo_op=d; correlation_id=1" ON_F "\n");
        p = load("peaks");
        assert_int_equal(p->programs->n_devices, 1);
        assert_int_equal((int64_t)p->programs->devices[0].peak_flops, (int64_t)cases[i].flops);
        assert_int_equal((int64_t)p->programs->devices[0].peak_bytes_per_s,
                         (int64_t)cases[i].bytes_per_s);
        profile_free(p);
        sb_done(&head);
    }
}

/* ---- files */

static void a_capture_is_no_graph(void **state)
{
    struct strbuf bytes = {0};

    (void)state;
    capture_text(&bytes, "plane; /host:CPU\nline; 1; main; 1\nevent; a:B; 0; 1\n");
    assert_int_equal(detect_format((struct span){(const uint8_t *)bytes.data, bytes.len}),
                     FORMAT_CAPTURE);
    sb_done(&bytes);
    capture_text(&bytes, "plane; neither\nline; 1; main; 1\nevent; a:B; 0; 1\n");
    assert_int_not_equal(detect_format((struct span){(const uint8_t *)bytes.data, bytes.len}),
                         FORMAT_CAPTURE);
    sb_done(&bytes);
}

/* Two concatenated spaces are merged; a line continues where its piece begins. */
static void pieces_are_merged(void **state)
{
    struct profile *p;

    (void)state;
    write_capture("pieces", "plane; /host:CPU\n",
                  "line; 1; main; 1\nevent; a:B; 0; 10\n"
                  "plane; /host:CPU\n"
                  "line; 1; main; 2\nevent; x:Y; 2; 1\nevent; a:B; 1000; 10\n");
    p = load("pieces");
    assert_int_equal(exec_of(p, "a", 0).cpu_ps, 20);
    assert_int_equal(exec_of(p, "a", 0).run_count, 2);
    profile_free(p);
}

/* A truncated capture is refused or loads as a shorter one. */
static void truncated_captures_are_refused_or_valid(void **state)
{
    struct strbuf text = {0}, bytes = {0};

    (void)state;
    sb_adds(&text, "plane; /host:metadata\nprogram; f(7); 7\n");
    sb_adds(&text, hlo);
    sb_adds(&text, "plane; /device:GPU:0\nline; 7; s; 1\n"
                   "event; a; 0; 10; hlo_op=d; correlation_id=1" ON_F "\nhost; h\n");
    capture_text(&bytes, sb_text(&text));
    for (size_t len = 1; len < bytes.len; len++) {
        struct err err = {0};
        struct profile *p;

        fixture_write("cut", bytes.data, len);
        p = load_with(SETTINGS(NULL), fixture_path("cut"), &err);
        assert_true(!p == (err.kind == ERR_INPUT));
        profile_free(p);
        err_done(&err);
    }
    sb_done(&text);
    sb_done(&bytes);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(kernels_are_executions_of_instructions),
        cmocka_unit_test(an_op_has_its_kernels_as_repeats),
        cmocka_unit_test(lines_of_viewers_do_not_count),
        cmocka_unit_test(a_launch_names_its_kernel),
        cmocka_unit_test(launches_are_found_by_id),
        cmocka_unit_test(compiled_code_on_a_cpu_nests),
        cmocka_unit_test(framework_ops_are_identified_by_names),
        cmocka_unit_test(calls_are_identified_by_paths),
        cmocka_unit_test(programs_with_long_names_are_distinguished),
        cmocka_unit_test(deep_stacks_are_truncated_with_a_note),
        cmocka_unit_test(without_ops_all_events_are_shown),
        cmocka_unit_test(devices_are_split_by_name),
        cmocka_unit_test(executions_are_measured_on_each_device),
        cmocka_unit_test(steps_and_input_are_measured),
        cmocka_unit_test(arguments_hold_memory_while_their_program_runs),
        cmocka_unit_test(peaks_follow_from_the_architecture),
        cmocka_unit_test(a_capture_is_no_graph),
        cmocka_unit_test(pieces_are_merged),
        cmocka_unit_test(truncated_captures_are_refused_or_valid),
    };

    return cmocka_run_group_tests_name("captures", tests, fixture_setup, fixture_teardown);
}
