/* detect.c: detects the format of an input by its content. */
#include "load/inputs/inputs.h"

#include <string.h>

#include "base/text.h"
#include "base/utf8.h"
#include "base/wire_in.h"
#include "load/fits.h"
#include "load/text/text_reader.h"

/* ---- texts */

enum { LOOK_AT_BYTES = 512 };

static bool is_printable(struct span bytes)
{
    for (size_t i = 0; i < bytes.len && i < LOOK_AT_BYTES; i++)
        if ((bytes.bytes[i] < 0x20 && !is_blank(bytes.bytes[i])) || bytes.bytes[i] == 0x7f)
            return false;
    return true;
}

/* True unless bytes are invalid UTF-8; a character cut off by the end is valid. */
static bool is_utf8(struct span bytes)
{
    size_t len = bytes.len < LOOK_AT_BYTES ? bytes.len : LOOK_AT_BYTES;
    uint32_t code;

    for (size_t i = 0; i + 4 <= len;) {
        size_t n = utf8_decode((const char *)bytes.bytes + i, len - i, &code);

        if (!n)
            return false;
        i += n;
    }
    return true;
}

/* The rest after blanks, comments and a byte order mark. */
static struct span skip_blanks(struct span s)
{
    if (s.len >= 3 && memcmp(s.bytes, "\xef\xbb\xbf", 3) == 0)
        s = (struct span){s.bytes + 3, s.len - 3};
    while (s.len && (is_blank(*s.bytes) || *s.bytes == '#')) {
        size_t n = 1;

        if (*s.bytes == '#') {
            const uint8_t *newline = memchr(s.bytes, '\n', s.len);

            n = newline ? (size_t)(newline - s.bytes) : s.len;
        }
        s = (struct span){s.bytes + n, s.len - n};
    }
    return s;
}

/* The identifier at the start of S; the rest goes to *REST. */
static struct span first_word(struct span s, struct span *rest)
{
    size_t n = 0;

    while (n < s.len && is_word_char(s.bytes[n]) && (n || !is_digit(s.bytes[n])))
        n++;
    *rest = skip_blanks((struct span){s.bytes + n, s.len - n});
    return (struct span){s.bytes, n};
}

static bool is_field_start(struct span s)
{
    struct span rest;
    struct span word = first_word(s, &rest);

    return word.len && rest.len && strchr("{<:", rest.bytes[0]) && rest.bytes[0] != '\0';
}

/* The length of the quoted text at the start of S, which ends at the end of the line at the
 * latest. */
static size_t quoted_len(struct span s)
{
    size_t n = 1;

    while (n < s.len && s.bytes[n] != s.bytes[0] && s.bytes[n] != '\n')
        n += s.bytes[n] == '\\' ? 2 : 1;
    return n + 1 < s.len ? n + 1 : s.len;
}

static bool is_quote(uint8_t c)
{
    return c == '"' || c == '\'';
}

/* As is_printable(), without quoted text, which may have any bytes. */
static bool is_text_message(struct span bytes)
{
    for (size_t i = 0; i < bytes.len && i < LOOK_AT_BYTES;) {
        const uint8_t c = bytes.bytes[i];

        if ((c < 0x20 && !is_blank(c)) || c == 0x7f)
            return false;
        i += is_quote(c) ? quoted_len((struct span){bytes.bytes + i, bytes.len - i}) : 1;
    }
    return true;
}

bool detect_is_text(struct span bytes)
{
    struct span text = skip_blanks(bytes);

    if (text.len == 0)
        return is_printable(bytes);
    return is_field_start(text) && is_text_message(bytes);
}

/* True when WORD is a field of MESSAGE and REST fits its type: `name {` and `name <` begin a
 * message, `name: 7` does not. */
static bool is_field_of(const ProtobufCMessageDescriptor *message, struct span word,
                        struct span rest)
{
    const ProtobufCFieldDescriptor *field =
        text_find_field(message, (const char *)word.bytes, word.len);
    bool is_message = field && field->type == PROTOBUF_C_TYPE_MESSAGE;

    if (rest.bytes[0] == ':')
        rest = skip_blanks((struct span){rest.bytes + 1, rest.len - 1});
    return field && is_message == (rest.len && strchr("{<", rest.bytes[0]));
}

/* The rest after the value at the start of S: a message, or up to the end of the line. */
static struct span skip_value(struct span s)
{
    size_t depth = 0;

    for (size_t i = 0; i < s.len;) {
        const uint8_t c = s.bytes[i];

        depth += c == '{' || c == '<';
        if ((c == '}' || c == '>') && depth)
            depth--;
        i += is_quote(c) ? quoted_len((struct span){s.bytes + i, s.len - i}) : 1;
        if (!depth && (c == '\n' || c == '}' || c == '>'))
            return skip_blanks((struct span){s.bytes + i, s.len - i});
    }
    return (struct span){s.bytes, 0};
}

/* The format that has the first known field. */
static enum input_format text_format(struct span bytes)
{
    enum { LOOK_AT_FIELDS = 64 };
    struct span at = skip_blanks(bytes);

    for (unsigned i = 0; i < LOOK_AT_FIELDS && is_field_start(at); i++) {
        struct span rest;
        struct span word = first_word(at, &rest);

        for (enum input_format f = FORMAT_UNKNOWN; (f = format_next_to_try(f)) != FORMAT_UNKNOWN;)
            if (formats[f]->message && is_field_of(formats[f]->message, word, rest))
                return f;
        at = skip_value(rest);
    }
    return FORMAT_UNKNOWN;
}

/* The most likely format, if the evidence for it clearly outweighs that against it. */
static enum input_format likeliest_format(struct span bytes)
{
    enum input_format likeliest = FORMAT_UNKNOWN;
    int64_t max = 0;

    for (enum input_format f = FORMAT_UNKNOWN; (f = format_next_to_try(f)) != FORMAT_UNKNOWN;) {
        struct evidence e = {0};

        if (!formats[f]->fits(bytes, &e) || e.in_favour <= 2 * (uint64_t)e.against)
            continue;
        if ((int64_t)e.in_favour - e.against > max) {
            max = (int64_t)e.in_favour - e.against;
            likeliest = f;
        }
    }
    return likeliest;
}

/* Other text formats may begin like a protobuf text. */
static enum input_format plain_text_format(struct span bytes)
{
    for (enum input_format f = FORMAT_UNKNOWN; (f = format_next_to_try(f)) != FORMAT_UNKNOWN;)
        if (formats[f]->is_plain_text && formats[f]->fits(bytes, NULL))
            return f;
    return FORMAT_UNKNOWN;
}

/* True for text that is no message: as one, its first field would end behind the bytes. */
static bool is_other_text(struct span bytes)
{
    struct wire_in in = wire_in_of(bytes.bytes, bytes.len);
    struct wire_field f;

    return is_printable(bytes) && is_utf8(bytes) && !wire_next(&in, &f);
}

enum input_format detect_format(struct span bytes)
{
    enum input_format format = FORMAT_UNKNOWN;

    if (detect_is_text(bytes)) {
        format = text_format(bytes);
        return format != FORMAT_UNKNOWN ? format : plain_text_format(bytes);
    }
    for (enum input_format f = FORMAT_UNKNOWN; (f = format_next_to_try(f)) != FORMAT_UNKNOWN;)
        if (formats[f]->fits(bytes, NULL))
            return f;
    return fits_other(bytes) || is_other_text(bytes) ? FORMAT_UNKNOWN : likeliest_format(bytes);
}

bool detect_is_cut(struct span bytes)
{
    struct wire_in in = wire_in_of(bytes.bytes, bytes.len);
    const enum input_format format = detect_format(bytes);
    struct wire_field f;

    /* Formats with large elements are detected by the contents of the first one. */
    return bytes.len && (format == FORMAT_UNKNOWN || formats[format]->fits_cut_graph) &&
           !detect_is_text(bytes) && !wire_next(&in, &f);
}

/* ---- files of other tools */

struct signature {
    size_t offset;
    const char *bytes;
    size_t len;
    const char *what;
    bool is_text; /* blanks and comments may precede it; all else is printable */
};

#define SIGNATURE(offset, bytes, what) {(offset), (bytes), sizeof(bytes) - 1, (what), false}
#define TEXT(bytes, what) {0, (bytes), sizeof(bytes) - 1, (what), true}

/* Protocols 0 and 1 have no header; PyTorch writes snapshots with later ones. */
#define NO_SNAPSHOT "a pickle of protocol 0 or 1: no memory snapshot of PyTorch"
static const struct signature signatures[] = {
    SIGNATURE(0, "\x89PNG\r\n\x1a\n", "a PNG image"),
    SIGNATURE(0, "\xff\xd8\xff", "a JPEG image"),
    SIGNATURE(0, "GIF8", "a GIF image"),
    SIGNATURE(0, "%PDF-", "a PDF document"),
    SIGNATURE(0, "\x89HDF\r\n\x1a\n", "HDF5: Keras weights, not a graph"),
    SIGNATURE(0, "GGUF", "weights in GGUF: not supported"),
    SIGNATURE(4, "ORTM", "an ONNX Runtime model in ORT format: open the .onnx it was made of"),
    SIGNATURE(0, "PK\x03\x04", "a zip archive (as newer Keras models are): unpack it first"),
    SIGNATURE(0, "\x93NUMPY", "a NumPy array"),
    SIGNATURE(0, "\x7f" "ELF", "an ELF program or library"),
    SIGNATURE(257, "ustar", "a tar archive: unpack it first"),
    SIGNATURE(0, "\x83\xaf\x70\xd1\x0d\x88\x4a\x3f",
              "riegeli records, which are not read: write the capture as an .xplane.pb"),
    SIGNATURE(0, "BZh", "bzip2 data: unpack it first"),
    SIGNATURE(0, "\xfd" "7zXZ", "xz data: unpack it first"),
    SIGNATURE(0, "\x28\xb5\x2f\xfd", "zstd data: unpack it first"),
    SIGNATURE(0, "\x80\x02\x8a\x0al\xfc\x9c" "F\xf9 j\xa8P\x19",
              "a PyTorch file in the format before 1.6: load and save it again"),
    SIGNATURE(0, "PAR1", "a table in Apache Parquet: not a profile"),
    SIGNATURE(0, "PERFILE2", "samples of perf: not supported"),
    SIGNATURE(0, "NVR\0", "a report of Nsight Compute: not supported"),
    SIGNATURE(0, "ML\xefR", "MLIR bytecode: not supported; XLA dumps HLO (--xla_dump_hlo_as_proto)"),
    SIGNATURE(0, "}q\0", NO_SNAPSHOT),
    SIGNATURE(0, "]q\0", NO_SNAPSHOT),
    TEXT("(dp0\n", NO_SNAPSHOT),
    TEXT("(lp0\n", NO_SNAPSHOT),
    TEXT("HloModule ", "HLO as text: XLA dumps messages too (--xla_dump_hlo_as_proto)"),
    TEXT("#!", "a script"),
    TEXT("<", "XML or HTML"),
    TEXT("[[", "a list of lists in JSON, as a memory timeline of PyTorch is: not a trace"),
    TEXT("{", "JSON, but not a trace: it has no traceEvents"),
    TEXT("[", "JSON, but not a trace: its first element is not an event"),
};
#undef NO_SNAPSHOT

static bool has_signature(struct span bytes, const struct signature *s)
{
    return bytes.len >= s->offset + s->len &&
           memcmp(bytes.bytes + s->offset, s->bytes, s->len) == 0;
}

bool detect_is_blank(struct span bytes)
{
    return is_printable(bytes) && skip_blanks(bytes).len == 0;
}

/* The tool that wrote a text that could be mistaken for a trace or capture; NULL if unknown. */
static const char *text_lookalike(struct span text)
{
    static const struct {
        const char *first; /* possible first characters */
        const char *mark, *what;
    } marks[] = {
        {"{", "rocprofiler-sdk-tool", "JSON of rocprofiler: convert it to a trace first"},
        {"{", "-chakra",
         "an execution trace of PyTorch, which has no times: torch.profiler writes those"},
        /* Messages of the tool may precede the table. */
        {"\"=", "\"Process ID\",\"Process Name\"", "Nsight Compute report as CSV: not supported"},
        {"=", "==PROF==", "output of Nsight Compute: not supported"},
        {"{", "\"weight_map\"", "an index of weights in safetensors: not supported"},
        {"igdop", "ir_version:", "ONNX in text form: save it in binary form"},
    };

    for (size_t i = 0; text.len && i < sizeof marks / sizeof *marks; i++)
        if (*text.bytes && strchr(marks[i].first, *text.bytes) &&
            memmem(text.bytes, text.len, marks[i].mark, strlen(marks[i].mark)))
            return marks[i].what;
    return NULL;
}

static bool holds(struct span bytes, const char *what)
{
    return memmem(bytes.bytes, bytes.len, what, strlen(what)) != NULL;
}

/* The kind of a file of weights, judged by its head; NULL if it is none. */
static const char *weights(struct span bytes)
{
    enum { LENGTH_BYTES = 8, LOOK_AT = 4096 };
    struct span head = {bytes.bytes, bytes.len < LOOK_AT ? bytes.len : LOOK_AT};

    if (head.len > LENGTH_BYTES && head.bytes[LENGTH_BYTES] == '{' &&
        (holds(head, "\"dtype\"") || holds(head, "\"data_offsets\"") ||
         holds(head, "\"__metadata__\"")))
        return "weights in safetensors: not supported";
    if (head.len < 4 || memcmp(head.bytes, "PK\x03\x04", 4) != 0)
        return NULL;
    if (holds(bytes, "/data.pkl"))
        return "weights of PyTorch (a zip with data.pkl): not supported";
    return holds(bytes, "metadata.json") && holds(bytes, "config.json")
               ? "a Keras model (.keras): not supported" : NULL;
}

const char *detect_lookalike(struct span bytes)
{
    struct span text = skip_blanks(bytes);
    bool printable = is_printable(bytes);

    if (bytes.len == 0)
        return "an empty file";
    if (detect_is_blank(bytes))
        return "only blanks and comments";
    if (weights(bytes))
        return weights(bytes);
    if (text_lookalike(text))
        return text_lookalike(text);
    if (fits_other(bytes))
        return fits_other(bytes);
    for (size_t i = 0; i < sizeof signatures / sizeof signatures[0]; i++)
        if (signatures[i].is_text ? printable && (has_signature(bytes, &signatures[i]) ||
                                                  has_signature(text, &signatures[i]))
                                  : has_signature(bytes, &signatures[i]))
            return signatures[i].what;
    if (detect_is_text(bytes))
        return "text, but no `node {`";
    return printable && is_utf8(bytes) ? "plain text" : NULL;
}
