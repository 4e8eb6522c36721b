/* iteration_name.c: reads the annotations of iterations of vLLM, SGLang and ATOM
 * (formats-trace.md section 11). */
#include "load/replay/iteration_name.h"

#include <string.h>

/* A name and the position of the next byte to parse. */
struct name_reader {
    const char *at, *end;
};

static bool take(struct name_reader *r, const char *word)
{
    const size_t n = strlen(word);

    if ((size_t)(r->end - r->at) < n || memcmp(r->at, word, n) != 0)
        return false;
    r->at += n;
    return true;
}

/* Parses at most 15 digits, so that sums and small products cannot overflow. */
static bool take_number(struct name_reader *r, int64_t *number)
{
    enum { DIGITS_MAX = 15 };
    const char *begin = r->at;

    *number = 0;
    for (; r->at < r->end && *r->at >= '0' && *r->at <= '9'; r->at++) {
        if (r->at - begin == DIGITS_MAX)
            return false;
        *number = *number * 10 + (*r->at - '0');
    }
    return r->at > begin;
}

/* ---- vLLM */

/* Parses "R(sqAskBsqsqCsqskD)", or "R(A)" without sums. */
static bool take_side(struct name_reader *r, bool has_sums, struct iteration_side *side)
{
    if (!take_number(r, &side->requests) || !take(r, "("))
        return false;
    if (!has_sums)
        return take_number(r, &side->tokens) && take(r, ")");
    return take(r, "sq") && take_number(r, &side->tokens) && take(r, "sk") &&
           take_number(r, &side->sk) && take(r, "sqsq") && take_number(r, &side->sqsq) &&
           take(r, "sqsk") && take_number(r, &side->sqsk) && take(r, ")");
}

static bool read_vllm(struct name_reader r, struct iteration_counts *counts)
{
    int64_t ignored;

    if (!take(&r, "execute_"))
        return false;
    counts->has_sums = take_number(&r, &ignored);
    return (!counts->has_sums || take(&r, "_")) && take(&r, "context_") &&
           take_side(&r, counts->has_sums, &counts->context) && take(&r, "_generation_") &&
           take_side(&r, counts->has_sums, &counts->generation) && r.at == r.end;
}

/* ---- SGLang and ATOM: "KIND[key=value key=value]" */

/* Parses the value of KEY; false if it is missing or not a number. */
static bool find_value(struct name_reader r, const char *key, struct name_reader *value)
{
    while (r.at < r.end) {
        const char *blank = memchr(r.at, ' ', (size_t)(r.end - r.at));
        struct name_reader word = {r.at, blank ? blank : r.end};

        if (take(&word, key) && take(&word, "=")) {
            *value = word;
            return true;
        }
        r.at = word.end + (blank != NULL);
    }
    return false;
}

static bool number_of(struct name_reader r, const char *key, int64_t *number)
{
    struct name_reader value;

    return find_value(r, key, &value) && take_number(&value, number) && value.at == value.end;
}

/* As above; a missing key gives 0. */
static int64_t number_or_0(struct name_reader r, const char *key)
{
    int64_t number;

    return number_of(r, key, &number) ? number : 0;
}

static bool has_key(struct name_reader r, const char *key)
{
    struct name_reader value;

    return find_value(r, key, &value);
}

static void read_sums(struct name_reader r, struct iteration_counts *counts)
{
    counts->has_sums = has_key(r, "c_sqsq") || has_key(r, "g_sqsq");
    counts->context.sk = number_or_0(r, "c_sk");
    counts->context.sqsq = number_or_0(r, "c_sqsq");
    counts->context.sqsk = number_or_0(r, "c_sqsk");
    counts->generation.sk = number_or_0(r, "g_sk");
    counts->generation.sqsq = number_or_0(r, "g_sqsq");
    counts->generation.sqsk = number_or_0(r, "g_sqsk");
}

static bool read_sglang(struct name_reader r, struct iteration_counts *counts)
{
    struct iteration_side *context = &counts->context, *generation = &counts->generation;
    const bool is_decode = take(&r, "step[DECODE "), is_extend = take(&r, "step[EXTEND ");
    int64_t size;

    if ((!is_decode && !is_extend && !take(&r, "step[MIXED ")) || r.at == r.end ||
        *--r.end != ']' || !number_of(r, "bs", &size))
        return false;
    read_sums(r, counts);
    if (is_decode) {
        generation->requests = size;
        if (!number_of(r, "g_sq", &generation->tokens))
            generation->tokens = size;
    } else if (!is_extend && counts->has_sums) {
        *context = (struct iteration_side){number_or_0(r, "c"), number_or_0(r, "c_sq"), context->sk,
                                           context->sqsq, context->sqsk};
        generation->requests = number_or_0(r, "g");
        generation->tokens = number_or_0(r, "g_sq");
    } else {
        context->requests = size;
        if (!is_extend || !number_of(r, "c_sq", &context->tokens))
            context->tokens = number_or_0(r, "toks");
    }
    return true;
}

/* Parses "S", or "S/P" with the padded size P. */
static bool read_size(struct name_reader r, struct iteration_side *side, int64_t *padded)
{
    struct name_reader value;

    return find_value(r, "bs", &value) && take_number(&value, &side->requests) &&
           (value.at == value.end ||
            (take(&value, "/") && take_number(&value, padded) && value.at == value.end));
}

static bool read_atom(struct name_reader r, struct iteration_counts *counts)
{
    const bool is_prefill = take(&r, "prefill[");
    struct iteration_side *side = is_prefill ? &counts->context : &counts->generation;

    if ((!is_prefill && !take(&r, "decode[")) || r.at == r.end || *--r.end != ']' ||
        !read_size(r, side, &counts->padded_size) || !number_of(r, "tok", &side->tokens))
        return false;
    counts->has_sums = has_key(r, "sqsq") && has_key(r, "sqsk");
    side->sk = number_or_0(r, "sk");
    side->sqsq = number_or_0(r, "sqsq");
    side->sqsk = number_or_0(r, "sqsk");
    return true;
}

bool iteration_name_read(struct text name, struct iteration_counts *counts)
{
    static bool (*const readers[])(struct name_reader r, struct iteration_counts *counts) = {
        read_vllm, read_sglang, read_atom};
    const struct name_reader r = {name.bytes, name.bytes + name.len};

    for (size_t i = 0; i < sizeof readers / sizeof *readers; i++) {
        *counts = (struct iteration_counts){.padded_size = -1};
        if (readers[i](r, counts))
            return true;
    }
    return false;
}
