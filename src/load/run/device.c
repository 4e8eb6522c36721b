/* device.c: classifies device names (semantics.md section 1.2). */
#include "load/run/runmeta.h"

#include <string.h>

#include "base/text.h"

static const char *find(const char *text, size_t len, const char *word)
{
    return len ? memmem(text, len, word, strlen(word)) : NULL;
}

bool device_is_canonical(const char *device, size_t len)
{
    static const char *const kinds[] = {"/device:gpu:", "/gpu:", "/device:cpu:", "/cpu:",
                                        "/device:sycl:"};
    size_t stem = len;

    while (stem && is_digit(device[stem - 1]))
        stem--;
    if (stem == len)
        return false;
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++) {
        size_t n = strlen(kinds[i]);

        /* The regular expression begins with `.*`, which does not match newlines. */
        if (stem >= n && memcmp(device + stem - n, kinds[i], n) == 0 &&
            !memchr(device, '\n', stem - n))
            return true;
    }
    return false;
}

bool device_is_accelerator_stream(const char *device, size_t len)
{
    return find(device, len, "stream:all") != NULL;
}

bool device_is_accelerator(const char *device, size_t len)
{
    return find(device, len, "gpu") || find(device, len, "sycl");
}

void device_host(struct strbuf *sb, const char *device, size_t len)
{
    const char *word = find(device, len, "sycl") ? "device:sycl:" : "gpu:";
    const char *end = device + len;
    const char *at = device;

    while ((at = find(at, (size_t)(end - at), word))) {
        const char *number = at + strlen(word);
        const char *rest = number;

        while (rest < end && is_digit(*rest))
            rest++;
        if (rest > number) {
            sb_add(sb, device, (size_t)(at - device));
            sb_adds(sb, "cpu:0");
            sb_add(sb, rest, (size_t)(end - rest));
            return;
        }
        at = number;
    }
    sb_add(sb, device, len);
}
