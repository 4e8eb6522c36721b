/* test_wait_names.c: names of blocking calls and frames, and similar names. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
/* clang-format off */
#include <cmocka.h>
/* clang-format on */

#include "load/slices/work_names.h"

static void assert_all(bool (*is)(const char *name, size_t len), bool expected,
                       const char *const *names)
{
    for (; *names; names++)
        if (is(*names, strlen(*names)) != expected)
            fail_msg("%s", *names);
}

static void blocking_calls(void **state)
{
    static const char *const blocking[] = {
        "cudaDeviceSynchronize", "cudaStreamSynchronize_ptsz", "cuCtxSynchronize_v2", "hipEventSynchronize",
        "cudaMemcpy", "hipMemcpy3D", "cudaMemcpyToSymbol_ptds", "hipMemcpyWithStream", "cuMemcpyDtoH_v2",
        "cuMemcpy", "cuMemcpy2DUnaligned_v2_ptds", "hipMemcpyHtoD", "zeEventHostSynchronize",
        "zeCommandQueueSynchronize", "urQueueFinish", "synchronizeStream", "BlockHostUntilReady",
        "Copy (wait for completion)", "Await", "BufferAwait", NULL};
    static const char *const others[] = {
        "cudaEventQuery", "cudaStreamQuery", "cudaStreamWaitEvent", "cudaMalloc", "cudaFree",
        "cudaHostAlloc", "cudaLaunchKernel", "cudaMemcpyAsync", "cudaDeviceSynchronizeX",
        "cuCtxSynchronize_v", "xcudaMemcpy", "cudaMemcpyDtoH", "cuMemcpyToArray", "", NULL};

    (void)state;
    assert_all(call_name_blocks, true, blocking);
    assert_all(call_name_blocks, false, others);
}

static void asynchronous_copies(void **state)
{
    static const char *const copies[] = {"cudaMemcpyAsync", "hipMemcpyDtoHAsync", "cuMemcpyAsync_ptsz",
                                         "cudaMemcpy2DAsync", NULL};
    static const char *const others[] = {"cudaMemcpy", "cudaMemsetAsync", "Memcpy Async",
                                         "cudaMemcpy Async", NULL};

    (void)state;
    assert_all(call_name_is_async_copy, true, copies);
    assert_all(call_name_is_async_copy, false, others);
}

static void blocking_frames(void **state)
{
    static const char *const sleeping[] = {
        "threading.py(312): wait", "/usr/lib/python3.8/threading.py(1): _wait_for_tstate_lock",
        "multiprocessing/connection.py(931): wait", "multiprocessing/synchronize.py(94): __enter__",
        "<built-in function select>", "<built-in function _cuda_synchronize>",
        "<built-in method acquire of _thread.lock object at 0x7f25a0>",
        "<built-in method __enter__ of _thread.RLock object at 0x7f25a0>",
        "<built-in method poll of select.epoll object at 0x7f>",
        "<built-in method recv_into of socket.socket object at 0x7f>",
        "<built-in method run_backward of torch._C._EngineBase object at 0x7f>",
        "<built-in method synchronize of Event object at 0x7f>",
        "<built-in method wait of torch._C._distributed_c10d.Work object at 0x7f>", NULL};
    static const char *const others[] = {
        "threading.py(312): notify", "my_threading.py(3): wait", "train.py(4): wait",
        "<built-in function selection>", "<built-in method select of Tensor object at 0x7f>",
        "<built-in method get of dict object at 0x7f>", "<built-in method wait of Event object at 0x7f>",
        "<built-in method acquire of Pool object at 0x7f>", "<built-in function select", "wait", "(",
        "): ", "<built-in method ", "<built-in function ", "", NULL};

    (void)state;
    assert_all(frame_name_sleeps, true, sleeping);
    assert_all(frame_name_sleeps, false, others);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(blocking_calls),
        cmocka_unit_test(asynchronous_copies),
        cmocka_unit_test(blocking_frames),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
