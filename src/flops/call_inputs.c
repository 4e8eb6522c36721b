/* call_inputs.c: reads shapes and values of the inputs of an operator's call. */
#include "flops/call_inputs.h"

#include <stddef.h>

#include "base/satmath.h"

static const char *skip_blanks(const char *at)
{
    while (*at == ' ' || *at == ',' || *at == '\n' || *at == '\r' || *at == '\t')
        at++;
    return at;
}

static const char *read_number(const char *at, int64_t *number)
{
    const bool negative = *at == '-';

    *number = 0;
    for (at += negative; *at >= '0' && *at <= '9'; at++)
        if (!append_digit(number, *at))
            return NULL;
    if (negative)
        *number = clamp_neg(*number);
    return at;
}

static void push(struct call_list *list, int64_t number)
{
    if (list->n < CALL_DIMS_MAX)
        list->item[list->n] = number;
    list->is_there &= list->n < CALL_DIMS_MAX;
    list->n += list->n < CALL_DIMS_MAX;
}

/* Reads the list of numbers at AT; a list of lists is read as absent.  NULL: not a list. */
static const char *read_list(const char *at, struct call_list *list)
{
    unsigned depth = 0;

    list->is_there = true;
    list->n = 0;
    do {
        int64_t number;

        at = skip_blanks(at);
        if (*at == '[') {
            list->is_there &= depth++ == 0;
            at++;
        } else if (*at == ']') {
            depth--;
            at++;
        } else if (*at == '-' || (*at >= '0' && *at <= '9')) {
            at = read_number(at, &number);
            if (!at)
                return NULL;
            push(list, number);
        } else {
            return NULL;
        }
    } while (depth);
    return at;
}

bool call_read_dims(struct call *call, const char *at)
{
    at = skip_blanks(at);
    if (*at++ != '[')
        return false;
    for (at = skip_blanks(at); *at == '[' && call->n_dims < CALL_ARGS_MAX; at = skip_blanks(at)) {
        at = read_list(at, &call->dims[call->n_dims++]);
        if (!at)
            return false;
    }
    return *at == ']' || call->n_dims == CALL_ARGS_MAX;
}

/* Reads a value up to its closing quote: "[2, 2]", "True", "1", "". */
static const char *read_value(const char *at, struct call_list *list)
{
    list->is_there = true;
    for (; *at && *at != '"'; at++) {
        int64_t number;

        if (*at == '\\') {
            at += at[1] != '\0';
            continue;
        }
        list->in_brackets |= *at == '[';
        if (*at == 'T' || *at == 'F')
            push(list, *at == 'T');
        if (*at != '-' && (*at < '0' || *at > '9'))
            continue;
        at = read_number(at, &number);
        if (!at)
            return NULL;
        push(list, number);
        at--;
    }
    return *at ? at + 1 : NULL;
}

bool call_read_values(struct call *call, const char *at)
{
    at = skip_blanks(at);
    if (*at++ != '[')
        return false;
    while (call->n_values < CALL_ARGS_MAX && *(at = skip_blanks(at)) == '"') {
        at = read_value(at + 1, &call->values[call->n_values++]);
        if (!at)
            return false;
    }
    return true;
}

const struct call_list *call_dims(const struct call *call, unsigned i, unsigned min)
{
    const struct call_list *list = &call->dims[i];

    return i < call->n_dims && list->is_there && list->n >= min ? list : NULL;
}
