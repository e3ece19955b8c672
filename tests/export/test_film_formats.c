/* Films as bytes: the pictures that are read back equal those that were written. */
#include <png.h>
#include <string.h>

#include "base/util.h"
#include "export/film_format.h"
#include "export/png.h"
#include "support/test.h"

#define WIDTH  23
#define HEIGHT 11
#define PIXELS (WIDTH * HEIGHT)

/* A file in memory. */
typedef struct Memory {
    unsigned char bytes[1 << 20];
    size_t size;
    long files;
    long puts_left; /* before it is full; below 0: it never is */
} Memory;

static Memory memory;

static bool put(void *context, const void *bytes, size_t size, Err *err) {
    Memory *m = context;
    if (m->puts_left-- == 0)
        return err_fail(err, "disk", "is full");
    assert_true(m->size + size <= sizeof m->bytes);
    if (size > 0)
        memcpy(m->bytes + m->size, bytes, size);
    m->size += size;
    return true;
}

static bool put_at(void *context, uint64_t at, const void *bytes, size_t size, Err *err) {
    Memory *m = context;
    size_t end = m->size;
    assert_true(at + size <= end);
    m->size = at;
    bool done = put(context, bytes, size, err);
    m->size = end;
    return done;
}

static bool put_file(void *context, long number, const void *bytes, size_t size, Err *err) {
    Memory *m = context;
    assert_int_equal(number, ++m->files);
    return put(context, bytes, size, err);
}

static const FilmOut OUT = {&memory, put, put_at, put_file};

/* Four pictures: noise, the same, one pixel more, all but a corner. */
#define PICTURES 4
static uint32_t pictures[PICTURES][PIXELS];
static const long COUNTS[PICTURES] = {3, 2, 1, 4};

static void make_pictures(uint32_t colours) {
    for (uint32_t i = 0; i < PIXELS; i++)
        pictures[0][i] = 0xFF000000u | ((i * 2654435761u >> 12) % colours * 0x1F3517u & 0xFFFFFF);
    memcpy(pictures[1], pictures[0], sizeof pictures[0]);
    memcpy(pictures[2], pictures[0], sizeof pictures[0]);
    pictures[2][5 * WIDTH + 7] = 0xFF12FE34u;
    for (int i = 0; i < PIXELS; i++)
        pictures[3][i] = i % WIDTH < 20 && i < 9 * WIDTH
                             ? 0xFF000000u | (uint32_t)(i % 5) * 0x203040u
                             : pictures[2][i];
}

static bool write_film(const FilmFormat *format, long puts, Err *err) {
    LOCAL(film_writer_release) FilmWriter film;
    memory.size = 0;
    memory.files = 0;
    memory.puts_left = puts;
    bool done = film_writer_begin(&film, format, &(FilmShape){WIDTH, HEIGHT, 25}, &OUT, err);
    for (int i = 0; i < PICTURES && done; i++)
        done = film_writer_show(&film, pictures[i], COUNTS[i], err);
    return done && film_writer_end(&film, err);
}

/* A reader of GIF: its picture and duration. */
static unsigned char screen[PIXELS][3];

static const unsigned char *read_blocks(unsigned char *out, size_t *size, const unsigned char *at) {
    for (*size = 0; *at != 0; at += 1 + *at) {
        memcpy(out + *size, at + 1, *at);
        *size += *at;
    }
    return at + 1;
}

/* Undo the compression, from its description. */
static int unpack(unsigned char *out, const unsigned char *bytes, size_t size, int symbol_bits) {
    static unsigned char strings[4096][512];
    static int lengths[4096];
    int clear = 1 << symbol_bits, count = 0, bits = 0, before = -1, used = 0;
    size_t bit = 0;
    for (;;) {
        int code = 0;
        if (bits == 0)
            bits = symbol_bits + 1;
        for (int i = 0; i < bits; i++, bit++) {
            assert_true(bit / 8 < size);
            code |= (bytes[bit / 8] >> bit % 8 & 1) << i;
        }
        if (code == clear) {
            for (int i = 0; i < clear; i++)
                strings[i][0] = (unsigned char)i, lengths[i] = 1;
            count = clear + 2, bits = symbol_bits + 1, before = -1;
            continue;
        }
        if (code == clear + 1)
            return used;
        assert_true(code < count || (code == count && before >= 0));
        if (before >= 0 && count < 4096) {
            memcpy(strings[count], strings[before], (size_t)lengths[before]);
            strings[count][lengths[before]] = strings[code == count ? before : code][0];
            lengths[count] = lengths[before] + 1;
            count++;
            bits += count == 1 << bits && bits < 12;
        }
        memcpy(out + used, strings[code], (size_t)lengths[code]);
        used += lengths[code];
        before = code;
    }
}

static int little(const unsigned char *at) {
    return at[0] | at[1] << 8;
}

/* Draw one picture on the screen. Return the bytes after it. */
static const unsigned char *read_picture(const unsigned char *at, int clear) {
    static unsigned char packed[1 << 16], symbols[PIXELS + 512];
    size_t size;
    int x = little(at + 1), y = little(at + 3), w = little(at + 5), h = little(at + 7);
    int bits = (at[9] & 7) + 1;
    assert_true(x + w <= WIDTH && y + h <= HEIGHT && (at[9] & 0x80) != 0);
    const unsigned char *palette = at + 10;
    at = palette + (3 << bits);
    int symbol_bits = *at;
    at = read_blocks(packed, &size, at + 1);
    assert_int_equal(unpack(symbols, packed, size, symbol_bits), w * h);
    for (int i = 0; i < w * h; i++)
        if (symbols[i] != clear)
            memcpy(screen[(y + i / w) * WIDTH + x + i % w], palette + 3 * symbols[i], 3);
    return at;
}

static void assert_screen(const uint32_t *pixels) {
    for (int i = 0; i < PIXELS; i++) {
        uint32_t colour = (uint32_t)screen[i][0] << 16 | (uint32_t)screen[i][1] << 8 | screen[i][2];
        assert_int_equal(colour, pixels[i] & 0xFFFFFF);
    }
}

TEST(a_gif_shows_what_it_was_given) {
    for (uint32_t colours = 2; colours <= 200; colours += 99) {
        static const int delays[] = {20, 4, 16}, shows[] = {0, 2, 3};
        make_pictures(colours);
        must(write_film(&FILM_GIF, -1, &told));
        assert_memory_equal(memory.bytes, "GIF89a", 6);
        assert_int_equal(little(memory.bytes + 6), WIDTH);
        assert_int_equal(little(memory.bytes + 8), HEIGHT);
        const unsigned char *at = memory.bytes + 13 + 19;
        for (int i = 0; i < 3; i++) {
            assert_memory_equal(at, "\x21\xF9\x04", 3);
            assert_int_equal(little(at + 4), delays[i]);
            int clear = (at[3] & 1) != 0 ? at[6] : -1;
            at = read_picture(at + 8, clear);
            assert_screen(pictures[shows[i]]);
        }
        assert_int_equal(*at, 0x3B);
        assert_ptr_equal(at + 1, memory.bytes + memory.size);
    }
}

/* A delay of a GIF is 655.35 s at most. */
TEST(a_gif_shows_a_picture_for_its_whole_time) {
    LOCAL(film_writer_release) FilmWriter film;
    long all = 0;
    make_pictures(200);
    memory.size = 0, memory.puts_left = -1;
    must(film_writer_begin(&film, &FILM_GIF, &(FilmShape){WIDTH, HEIGHT, 25}, &OUT, &told));
    must(film_writer_show(&film, pictures[0], 25 * 1400, &told));
    must(film_writer_show(&film, pictures[3], 25 * 5, &told) && film_writer_end(&film, &told));
    const unsigned char *at = memory.bytes + 13 + 19;
    while (*at != 0x3B) {
        all += little(at + 4);
        at = read_picture(at + 8, (at[3] & 1) != 0 ? at[6] : -1);
        assert_screen(pictures[all > 140000 ? 3 : 0]);
    }
    assert_int_equal(all, 140500);
}

/* More colours than a palette has, and more strings than codes. */
TEST(many_colours_come_near) {
    enum { SIDE = 200 };
    static uint32_t pixels[SIDE * SIDE];
    static unsigned char packed[1 << 19], symbols[SIDE * SIDE + 512];
    FilmWriter film;
    size_t size;
    double error = 0;
    for (uint32_t i = 0; i < SIDE * SIDE; i++)
        pixels[i] = 0xFF000000u | (i % SIDE + 40) << 16 | (i / SIDE + 20) << 8 | i % 7 * 9;
    memory.size = 0, memory.puts_left = -1;
    must(film_writer_begin(&film, &FILM_GIF, &(FilmShape){SIDE, SIDE, 25}, &OUT, &told));
    must(film_writer_show(&film, pixels, 1, &told) && film_writer_end(&film, &told));
    film_writer_release(&film);
    const unsigned char *palette = memory.bytes + 13 + 19 + 8 + 10;
    read_blocks(packed, &size, palette + 768 + 1);
    assert_int_equal(unpack(symbols, packed, size, 8), SIDE * SIDE);
    for (int i = 0; i < SIDE * SIDE; i++)
        for (int channel = 0; channel < 3; channel++) {
            int d =
                palette[3 * symbols[i] + channel] - (int)(pixels[i] >> (16 - 8 * channel) & 255);
            error += d * d;
        }
    assert_true(error / (3 * SIDE * SIDE) < 60);
}

static uint32_t big(const unsigned char *at) {
    return (uint32_t)at[0] << 24 | (uint32_t)at[1] << 16 | (uint32_t)at[2] << 8 | at[3];
}

/* Read the chunk data, as a PNG of this size, onto the screen. */
static void read_part(const unsigned char *control, const unsigned char *data, size_t size) {
    static unsigned char rgba[4 * PIXELS];
    png_image image = {.version = PNG_IMAGE_VERSION};
    LOCAL(text_out_release) TextOut file = {0};
    uint32_t w = big(control + 4), h = big(control + 8), x = big(control + 12),
             y = big(control + 16);
    unsigned char head[13];
    assert_true(x + w <= WIDTH && y + h <= HEIGHT);
    memcpy(head, memory.bytes + 16, sizeof head);
    memcpy(head, control + 4, 8);
    text_out_bytes(&file, memory.bytes, 8);
    must(png_chunk(&file, "IHDR", head, sizeof head, &told) &&
         png_chunk(&file, "IDAT", data, size, &told) && png_chunk(&file, "IEND", NULL, 0, &told));
    assert_true(png_image_begin_read_from_memory(&image, file.at, file.used));
    image.format = PNG_FORMAT_RGBA;
    assert_true(png_image_finish_read(&image, NULL, rgba, 0, NULL));
    for (uint32_t i = 0; i < w * h; i++)
        memcpy(screen[(y + i / w) * WIDTH + x + i % w], rgba + 4 * i, 3);
}

TEST(a_moving_png_shows_what_it_was_given) {
    static const int counts[] = {5, 1, 4}, shows[] = {0, 2, 3};
    const unsigned char *control = NULL;
    uint32_t sequence = 0, shown = 0, pictures_told = 0;
    make_pictures(90);
    must(write_film(&FILM_APNG, -1, &told));
    png_image image = {.version = PNG_IMAGE_VERSION};
    assert_true(png_image_begin_read_from_memory(&image, memory.bytes, memory.size));
    png_image_free(&image); /* checksums of its first chunks are right, and readers without APNG
                               accept it */
    const unsigned char *at = memory.bytes + 8, *end = memory.bytes + memory.size;
    for (uint32_t size; at < end; at += size + 12) {
        size = big(at);
        if (memcmp(at + 4, "acTL", 4) == 0)
            pictures_told = big(at + 8);
        if (memcmp(at + 4, "fcTL", 4) == 0) {
            control = at + 8;
            assert_int_equal(big(control), sequence++);
            assert_int_equal(control[20] << 8 | control[21], counts[shown]);
            assert_int_equal(control[22] << 8 | control[23], 25);
        }
        bool is_first = memcmp(at + 4, "IDAT", 4) == 0, is_next = memcmp(at + 4, "fdAT", 4) == 0;
        if (is_next)
            assert_int_equal(big(at + 8), sequence++);
        if (!is_first && !is_next)
            continue;
        read_part(control, at + (is_next ? 12 : 8), size - (is_next ? 4 : 0));
        assert_screen(pictures[shows[shown++]]);
    }
    assert_ptr_equal(at, end);
    assert_int_equal(shown, 3);
    assert_int_equal(pictures_told, 3);
}

TEST(plain_frames_have_the_colours_of_television) {
    static const struct {
        uint32_t colour;
        unsigned char y, blue, red;
    } known[] = {{0xFF000000, 16, 128, 128},
                 {0xFFFFFFFF, 235, 128, 128},
                 {0xFFFF0000, 63, 102, 240},
                 {0xFF00FF00, 173, 42, 26},
                 {0xFF0000FF, 32, 240, 118}};
    size_t luma = PIXELS, chroma = (size_t)((WIDTH + 1) / 2) * ((HEIGHT + 1) / 2);
    for (size_t i = 0; i < ARRAY_COUNT(known); i++) {
        for (int picture = 0; picture < PICTURES; picture++)
            for (int pixel = 0; pixel < PIXELS; pixel++)
                pictures[picture][pixel] = known[i].colour;
        must(write_film(&FILM_Y4M, -1, &told));
        const unsigned char *at = memchr(memory.bytes, '\n', memory.size);
        assert_non_null(at);
        assert_memory_equal(at + 1, "FRAME\n", 6);
        at += 7;
        assert_int_equal(at[0], known[i].y);
        assert_int_equal(at[luma - 1], known[i].y);
        assert_int_equal(at[luma], known[i].blue);
        assert_int_equal(at[luma + chroma], known[i].red);
        assert_int_equal(at[luma + 2 * chroma - 1], known[i].red);
        size_t frames = (size_t)(memory.bytes + memory.size - (at - 6)) / (6 + luma + 2 * chroma);
        assert_int_equal(frames, 10);
    }
}

TEST(frames_are_files) {
    make_pictures(50);
    must(write_film(&FILM_PNG, -1, &told));
    assert_int_equal(memory.files, 10);
}

static const FilmFormat *const FORMATS[] = {&FILM_Y4M, &FILM_GIF, &FILM_APNG, &FILM_PNG};

TEST(the_same_pictures_are_the_same_bytes) {
    static Memory first;
    make_pictures(150);
    for (size_t i = 0; i < ARRAY_COUNT(FORMATS); i++) {
        must(write_film(FORMATS[i], -1, &told));
        first = memory;
        must(write_film(FORMATS[i], -1, &told));
        assert_int_equal(memory.size, first.size);
        assert_memory_equal(memory.bytes, first.bytes, first.size);
    }
}

TEST(a_full_disk_is_said_wherever_it_is) {
    make_pictures(150);
    for (size_t i = 0; i < ARRAY_COUNT(FORMATS); i++) {
        Err err = {0};
        long puts = 0;
        while (!write_film(FORMATS[i], puts, &err)) {
            assert_string_equal(err.what, "disk");
            puts++;
        }
        assert_true(puts > 3);
    }
}
