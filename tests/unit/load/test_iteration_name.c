/* test_iteration_name.c: annotations of the iterations of LLM servers. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "load/replay/iteration_name.h"

/* "PHASE context R/A generation S/E padded P sums c_sk/c_sqsq/c_sqsk g_sk/g_sqsq/g_sqsk" of NAME. */
static void is(const char *name, const char *expected)
{
    struct iteration_counts c;
    char said[256] = "none";
    const struct text text = {name, (uint32_t)strlen(name)};
    int n;

    if (iteration_name_read(text, &c)) {
        n = snprintf(said, sizeof said,
                     "%s %" PRId64 "/%" PRId64 " %" PRId64 "/%" PRId64,
                     iteration_phase_name(iteration_phase_of(&c)), c.context.requests,
                     c.context.tokens, c.generation.requests, c.generation.tokens);
        if (c.padded_size >= 0)
            n += snprintf(said + n, sizeof said - (size_t)n, " padded %" PRId64, c.padded_size);
        if (c.has_sums)
            snprintf(said + n, sizeof said - (size_t)n,
                     " sums %" PRId64 "/%" PRId64 "/%" PRId64 " %" PRId64 "/%" PRId64 "/%" PRId64,
                     c.context.sk, c.context.sqsq, c.context.sqsk, c.generation.sk,
                     c.generation.sqsq, c.generation.sqsk);
    }
    assert_string_equal(said, expected);
}

static void vllm_writes_requests_tokens_and_sums(void **state)
{
    (void)state;
    is("execute_8_context_1(sq3sk4sqsq9sqsk12)_generation_5(sq5sk500sqsq5sqsk500)",
       "mixed 1/3 5/5 sums 4/9/12 500/5/500");
    is("execute_context_2(64)_generation_0(0)", "prefill 2/64 0/0");
    is("execute_context_0(0)_generation_0(0)", "idle 0/0 0/0");
    is("execute_8_context_1(3)_generation_5(5)", "none");
    is("execute_context_2(64)_generation_0(0) ", "none");
    is("execute_context_2()_generation_0(0)", "none");
    is("execute_context_9999999999999999(1)_generation_0(0)", "none");
}

static void sglang_writes_keys(void **state)
{
    (void)state;
    is("step[DECODE bs=32]", "decode 0/0 32/32");
    is("step[DECODE bs=32 g_sq=64 g_sk=100 g_sqsq=128 g_sqsk=200]",
       "decode 0/0 32/64 sums 0/0/0 100/128/200");
    is("step[EXTEND bs=2 toks=77]", "prefill 2/77 0/0");
    is("step[EXTEND bs=2]", "prefill 2/0 0/0");
    is("step[EXTEND bs=2 toks=77 c_sq=70 c_sqsq=1]", "prefill 2/70 0/0 sums 0/1/0 0/0/0");
    is("step[MIXED bs=5 toks=77]", "prefill 5/77 0/0");
    is("step[MIXED bs=5 c=1 c_sq=9 c_sqsq=81 g=4 g_sq=4]", "mixed 1/9 4/4 sums 0/81/0 0/0/0");
    is("step[IDLE bs=0]", "none");
    is("step[DECODE bs=32", "none");
    is("step[DECODE abs=32]", "none");
}

static void atom_writes_padded_sizes(void **state)
{
    (void)state;
    is("prefill[bs=1 tok=77 sk=77 sqsq=5929 sqsk=5929]", "prefill 1/77 0/0 sums 77/5929/5929 0/0/0");
    is("decode[bs=5/8 tok=5]", "decode 0/0 5/5 padded 8");
    is("decode[bs=5 tok=5 sk=9]", "decode 0/0 5/5");
    is("decode[bs=5/ tok=5]", "none");
    is("decode[bs=5]", "none");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(vllm_writes_requests_tokens_and_sums),
        cmocka_unit_test(sglang_writes_keys),
        cmocka_unit_test(atom_writes_padded_sizes),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
