#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "app/film_marks.h"
#include "app/hall.h"
#include "base/heap.h"
#include "export/film_format.h"
#include "export/pdf.h"
#include "shell/figure.h"
#include "shell/film.h"
#include "shell/output.h"
#include "shell/pass.h"
#include "shell/programs.h"

/* Default seconds of the still picture before a motion, and of the motion itself. */
#define BEFORE_S 0.3
#define OVER_S   0.8
#define REST_S   1.5 /* seconds after the last key, and after the end of the motion */

#define SETTLING 30 /* limit of frames until an audience's picture (app/hall.h) rests */

typedef struct RecordFormat {
    OutputFormat format;
    const FilmFormat *film; /* NULL for slides */
    /* ffmpeg's options, or NULL; ffmpeg needs even widths and heights. */
    const char *const *encoder;
    bool is_frames, is_slides;
} RecordFormat;

static const char *const MP4[] = {"-c:v", "libx264",  "-preset", "veryfast",  "-crf",
                                  "16",   "-pix_fmt", "yuv420p", "-movflags", "+faststart",
                                  "-f",   "mp4",      NULL};
static const char *const WEBM[] = {
    "-c:v",     "libvpx-vp9", "-crf", "24",       "-b:v",    "0",  "-row-mt", "1", "-deadline",
    "realtime", "-cpu-used",  "7",    "-pix_fmt", "yuv420p", "-f", "webm",    NULL};

static const RecordFormat FORMATS[] = {
    {.format = {{"mp4", "MP4", "", "H.264 by ffmpeg, for slides and players."}, false},
     .film = &FILM_Y4M,
     .encoder = MP4},
    {.format = {{"webm", "WebM", "", "VP9 by ffmpeg, for web pages."}, false},
     .film = &FILM_Y4M,
     .encoder = WEBM},
    {.format = {{"gif", "GIF", "", "256 colours in each picture; works in any web page and mail."},
                false},
     .film = &FILM_GIF},
    {.format = {{"apng", "Moving PNG", "", "All colours; works in web pages."}, false},
     .film = &FILM_APNG},
    {.format = {{"y4m", "YUV4MPEG2", "", "Plain frames, which encoders and players read."}, true},
     .film = &FILM_Y4M},
    {.format = {{"png", "PNG frames", "", "A file for each frame: -o frames/%05d.png."}, false},
     .film = &FILM_PNG,
     .is_frames = true},
    {.format = {{"pdf", "PDF slides", "",
                 "A page for each step of a tour, which shows the end of the step."},
                true},
     .is_slides = true},
};
static const Registry FORMAT_REGISTRY = REGISTRY("formats", "format", FORMATS);

typedef struct Recorder {
    const RecordFormat *format;
    KeyScript keys;
    bool moves, has_tour;
    StateMotion motion;
    TourFilm tour;
    Session session; /* the session, changed so that the part is shown */
    Settings settings;
    CallFigure figure;
    FilmShape shape;
    long frames;
    Stage stage;
    FilmWriter film;
    const char *pattern; /* pattern of the names of frames, or NULL */
    FileOut file;        /* written under another name and renamed when complete, like every file */
    Ffmpeg ffmpeg;
    char subtitles[FILE_PATH_BYTES]; /* path of the subtitles' file */
    TextOut chapters;                /* ffmpeg's metadata with the chapters, or empty */
    uint64_t size;                   /* bytes of the file so far */
} Recorder;

static bool makes_subtitles(const Call *call) {
    return call->film.captions == CAPTIONS_SRT || call->film.captions == CAPTIONS_VTT;
}

static bool name_subtitles(Recorder *r, const Call *call, Err *err) {
    char *path = r->subtitles;
    const char *slash = strrchr(call->output, '/'), *name = slash != NULL ? slash : call->output;
    const char *point = strrchr(name, '.');
    size_t bytes = point != NULL ? (size_t)(point - call->output) : strlen(call->output);
    int used = snprintf(path, sizeof r->subtitles, "%.*s.%s", (int)bytes, call->output,
                        call->film.captions == CAPTIONS_SRT ? "srt" : "vtt");
    if (used < 0 || (size_t)used >= sizeof r->subtitles)
        return err_usage(err, "-o", "the name is too long; use a shorter one");
    bool is_film = strcmp(path, call->output) == 0 || file_is_same(path, call->output);
    const char *other = is_film ? call->output : call->word;
    return (!is_film && !file_is_same(path, other)) ||
           err_usage(err, "-o", "the subtitles would replace %.200s; use another name", other);
}

static bool plan_tour(Recorder *r, const Call *call, Err *err) {
    r->has_tour = call->word != NULL;
    if (!r->has_tour && call->film.steps != NULL)
        return err_usage(err, "--steps", "needs the name of a tour");
    if (r->has_tour && (call->says_state || call->film.to != NULL || call->film.over_s > 0))
        return err_usage(
            err, call->word,
            "a tour sets its own states; leave out --state, --to, --over, and all options of "
            "the layer and the view");
    if (!r->has_tour && makes_subtitles(call))
        return err_usage(err, "--captions", "needs the name of a tour for subtitles");
    if (makes_subtitles(call) && !name_subtitles(r, call, err))
        return false;
    r->tour.has_caption = call->film.captions == CAPTIONS_BURN;
    r->tour.has_words = call->film.captions != CAPTIONS_NONE;
    r->tour.subtitles.is_vtt = call->film.captions == CAPTIONS_VTT;
    if (!r->has_tour)
        return true;
    if (!tour_film_begin(&r->tour, call->word, call->film.steps, err))
        return false;
    r->tour.is_hall =
        call->film.stage == RECORD_AS_TOUR ? r->tour.tour.is_hall : call->film.stage == RECORD_HALL;
    tour_film_chapters(&r->chapters, &r->tour, (double)call->film.tempo);
    return true;
}

static bool plan_length(Recorder *r, const CallFilm *call, Err *err) {
    double seconds = (double)call->seconds;
    double keys_s = r->keys.count > 0 ? r->keys.at[r->keys.count - 1].time_s + REST_S : 0;
    double motion_s = r->moves ? r->motion.begin_s + r->motion.over_s + REST_S : 0;
    double tour_s = r->has_tour ? tour_film_seconds(&r->tour) : 0;
    if (seconds == 0)
        seconds = fmax(fmax(keys_s, motion_s), tour_s) / (double)call->tempo;
    r->frames = (long)ceil(seconds * r->shape.fps - 1e-6);
    return r->frames > 0 ||
           err_usage(err, "record",
                     "needs --seconds, or something to record: a tour, --keys or --to");
}

static bool check_shape(const Recorder *r, Err *err) {
    const char *label = r->format->format.entry.label;
    const FilmShape *shape = &r->shape;
    if (r->format->film->fps_most > 0 && shape->fps > r->format->film->fps_most)
        return err_usage(err, "--fps", "%s has at most %d frames a second", label,
                         r->format->film->fps_most);
    if (r->format->encoder != NULL && (shape->width % 2 != 0 || shape->height % 2 != 0))
        return err_usage(err, "--size", "%dx%d: %s takes even sizes only", shape->width,
                         shape->height, label);
    return true;
}

static bool plan_slides(Recorder *r, const Call *call, Err *err) {
    const CallFilm *film = &call->film;
    if (call->word == NULL)
        return err_usage(err, "record", "needs the name of a tour for slides");
    if (makes_subtitles(call))
        return err_usage(err, "--captions", "a PDF has no subtitles; use burn or none");
    if (film->keys != NULL || film->to != NULL || film->seconds != 0 || call->figure.part != NULL)
        return err_usage(
            err, "-o",
            "a PDF only has the steps of a tour: leave out --keys, --to, --seconds and --part");
    return plan_tour(r, call, err);
}

static bool plan(Recorder *r, const Call *call, Err *err) {
    const CallFilm *film = &call->film;
    int format;
    if (!output_format(&format, &FORMAT_REGISTRY, call, err))
        return false;
    r->format = &FORMATS[format];
    if (r->format->is_slides)
        return plan_slides(r, call, err);
    r->shape = (FilmShape){call->settings.size.first, call->settings.size.second,
                           film->fps > 0 ? film->fps : r->format->film->fps};
    r->pattern = r->format->is_frames ? call->output : NULL;
    r->figure.part = call->figure.part;
    if (!check_shape(r, err) || !figure_prepare(&r->session, &r->settings, &r->figure, err) ||
        !key_script_read(&r->keys, film->keys != NULL ? film->keys : "", err))
        return false;
    r->moves = film->to != NULL &&
               state_motion_begin(&r->motion, &r->session, &r->settings, film->to, err);
    r->motion.begin_s = film->cursor_px > 0 ? FILM_AHEAD_S : BEFORE_S;
    r->motion.over_s = film->over_s > 0 ? (double)film->over_s : OVER_S;
    return r->moves == (film->to != NULL) && plan_tour(r, call, err) && plan_length(r, film, err) &&
           pass_check(&r->session, err);
}

/* If only a part is recorded, find its size by drawing a first frame, and make the film's width and
 * height even. */
static bool measure_part(Recorder *r, Err *err) {
    const DrawList *list = &r->stage.list;
    r->stage.is_unseen = r->figure.part != NULL;
    if (r->figure.part == NULL)
        return true;
    stage_frame(&r->stage, NULL, 0, 0);
    bool found = figure_cut(&r->stage, &r->figure, 0, err);
    r->shape.width = 2 * (int)lroundf(list->width * list->scale / 2);
    r->shape.height = 2 * (int)lroundf(list->height * list->scale / 2);
    return found;
}

/* Write the stage's picture, to be shown for count frames. */
static bool show(Recorder *r, long count, Err *err) {
    int width, height;
    const uint32_t *pixels = soft_pixels(r->stage.soft, &width, &height);
    return count == 0 ||
           (stage_check(&r->stage, err) && film_writer_show(&r->film, pixels, count, err));
}

/* Draw only the frames that differ, and show each until the next one. */
static bool play(Recorder *r, const Call *call, Err *err) {
    Film film;
    long shown = 0;
    if (call->lecture)
        app_begin_lecture(r->stage.app);
    if (call->says_theme)
        hall_keep_theme(r->stage.app);
    film_marks_begin(r->stage.app, call->film.cursor_px, call->film.has_caps);
    if (r->moves)
        film_marks_expect_pin(r->stage.app, r->motion.to.options.pin, r->motion.begin_s);
    film_begin(&film, &r->stage, &r->keys, r->shape.fps, (double)call->film.tempo);
    film.motion = r->moves ? &r->motion : NULL;
    film.tour = r->has_tour ? &r->tour : NULL;
    for (long frame = 0; frame < r->frames && !r->tour.has_failed; frame++) {
        if (film_changes(&film)) {
            if (!show(r, frame - shown, err))
                return false;
            shown = frame;
        }
        bool draws_part = r->figure.part != NULL && (film_changes(&film) || frame == 0);
        film_next(&film);
        if (draws_part &&
            (!figure_cut(&r->stage, &r->figure, 0, err) ||
             !soft_draw(r->stage.soft, &r->stage.list, r->shape.width, r->shape.height, err)))
            return false;
    }
    *err = film.failure;
    return err->kind == ERR_NONE && tour_film_check(&r->tour, call->word, err) &&
           show(r, r->frames - shown, err);
}

/* Write the subtitles. The caller commits them after the film. */
static bool put_subtitles(FileOut *out, Recorder *r, const Call *call, Err *err) {
    if (!makes_subtitles(call))
        return true;
    Subtitles *subtitles = &r->tour.subtitles;
    if (!subtitles_end(subtitles, (double)r->frames / r->shape.fps))
        return err_fail(err, "memory", "too little for the subtitles");
    output_hold(true);
    return file_begin(out, r->subtitles, err) &&
           file_append(out, subtitles->text.at != NULL ? subtitles->text.at : "",
                       subtitles->text.used, err) &&
           file_settle(out, err);
}

/* Check a pattern for the names of frames: one %d or, with a width, %05d, and no other %. */
static bool check_pattern(const char *pattern, Err *err) {
    const char *at = strchr(pattern, '%');
    size_t digits = at != NULL ? strspn(at + 1, "0123456789") : 0;
    if (at != NULL && digits <= 2 && at[1 + digits] == 'd' && strchr(at + 1, '%') == NULL)
        return true;
    return err_usage(err, "-o",
                     "a file for each frame needs its number in the name, as in frames/%%05d.png");
}

static bool open_out(Recorder *r, const Call *call, Err *err) {
    if (r->pattern != NULL) {
        output_take_signals(r->pattern);
        return check_pattern(r->pattern, err) && file_make_folders(r->pattern, err);
    }
    if (!output_begin(&r->file, call, err))
        return false;
    if (r->format->encoder == NULL)
        return true;
    if (r->file.in_place)
        return err_fail(err, call->output, "is not a regular file, which this format needs");
    return ffmpeg_begin(&r->ffmpeg, r->format->encoder, r->chapters.at, &r->file, err);
}

static bool put(void *context, const void *bytes, size_t size, Err *err) {
    Recorder *r = context;
    if (r->format->encoder != NULL)
        return ffmpeg_put(&r->ffmpeg, bytes, size, err);
    r->size += size;
    return file_append(&r->file, bytes, size, err);
}

static bool put_at(void *context, uint64_t at, const void *bytes, size_t size, Err *err) {
    Recorder *r = context;
    return file_seek(&r->file, at, err) && file_append(&r->file, bytes, size, err) &&
           file_seek(&r->file, r->size, err);
}

/* Write the path of a frame, by its number from 1. */
static bool name_frame(char path[FILE_PATH_BYTES], const Recorder *r, long number, Err *err) {
    const char *at = strchr(r->pattern, '%');
    int width = 0, skip = 1;
    assert(at != NULL);
    for (; at[skip] != 'd'; skip++)
        width = 10 * width + at[skip] - '0';
    int bytes = snprintf(path, FILE_PATH_BYTES, at[1] == '0' ? "%.*s%0*ld%s" : "%.*s%*ld%s",
                         (int)(at - r->pattern), r->pattern, width, number, at + skip + 1);
    return (bytes >= 0 && bytes < FILE_PATH_BYTES) ||
           err_usage(err, "-o", "the name is too long; use a shorter one");
}

static bool put_file(void *context, long number, const void *bytes, size_t size, Err *err) {
    char path[FILE_PATH_BYTES];
    return name_frame(path, context, number, err) && output_add(path, bytes, size, err);
}

/* Rename all frames to their final names. Frames of an older, longer film stay, because only the
 * user knows whether they are still needed. */
static bool close_frames(const Recorder *r, Err *err) {
    char path[FILE_PATH_BYTES];
    Err ignored;
    if (!output_commit_added(err))
        return false;
    if (name_frame(path, r, r->frames + 1, &ignored) && file_exists(path))
        fprintf(stderr,
                "headlight: %s: is a frame of an older film; remove it and those after it\n", path);
    return true;
}

static bool close_out(Recorder *r, Err *err) {
    struct stat info;
    if (r->pattern != NULL)
        return close_frames(r, err);
    if (r->format->encoder != NULL && !ffmpeg_end(&r->ffmpeg, err))
        return false;
    /* Check the file, because a program called ffmpeg may report success without writing. */
    if (r->format->encoder != NULL && (fstat(r->file.fd, &info) != 0 || info.st_size == 0))
        return err_fail(err, r->file.name,
                        "ffmpeg wrote nothing; check that the program with this name is FFmpeg");
    return output_commit(&r->file, err);
}

static bool put_slides(Recorder *r, const Call *call, PdfFile *pdf, Err *err) {
    Stage *stage = &r->stage;
    TourFilm *tour = &r->tour;
    double time_s = 0;
    tour_record_begin(stage->app, &tour->tour, tour->first, tour->is_hall, tour->has_caption);
    for (int i = 0; i < tour->count; i++) {
        const Tour *shown = &stage->app->tour.tour;
        tour_go_end(stage->app, tour->first + i);
        int frames = 0;
        do {
            time_s += STAGE_SETTLED_S;
            stage_frame(stage, NULL, 0, time_s);
        } while (frames++ < SETTLING && app_effects(stage->app)->next_frame_s <= time_s);
        tour_film_note(tour, stage->app);
        if (!stage_check(stage, err) || !tour_film_check(tour, call->word, err) ||
            !pdf_page(pdf, &stage->list, shown->steps[tour->first + i].title, err))
            return false;
    }
    return true;
}

static bool record_slides(Recorder *r, const Call *call, Err *err) {
    PdfFile pdf = {.fonts = r->stage.fonts, .about = {.title = r->tour.tour.title}};
    if (call->says_theme)
        hall_keep_theme(r->stage.app);
    bool done = open_out(r, call, err) && put_slides(r, call, &pdf, err) && pdf_end(&pdf, err) &&
                put(r, pdf.out.at, pdf.out.used, err) && close_out(r, err);
    pdf_release(&pdf);
    return done;
}

static bool record_film(Recorder *r, const Call *call, Err *err) {
    FilmOut out = {r, put, put_at, put_file};
    FileOut subtitles = {.fd = -1};
    bool done = measure_part(r, err) && open_out(r, call, err) &&
                film_writer_begin(&r->film, r->format->film, &r->shape, &out, err) &&
                play(r, call, err) && film_writer_end(&r->film, err) &&
                put_subtitles(&subtitles, r, call, err) && close_out(r, err) &&
                (subtitles.name[0] == '\0' || file_commit(&subtitles, err));
    file_abandon(&subtitles);
    film_writer_release(&r->film);
    return done;
}

static bool record(Recorder *r, const Call *call, Err *err) {
    bool is_slides = r->format->is_slides;
    StageOptions options = {.kind = is_slides ? STAGE_LIST : STAGE_PIXELS,
                            .motion_s = r->moves ? state_motion_each_s(&r->motion) : 0,
                            .changes = true,
                            .threads = call->threads};
    if (!stage_begin(&r->stage, &r->session, &r->settings, options, err))
        return false;
    r->file.fd = r->ffmpeg.input = -1;
    bool done = (is_slides ? record_slides : record_film)(r, call, err);
    ffmpeg_release(&r->ffmpeg);
    if (r->file.fd >= 0)
        file_abandon(&r->file);
    output_abandon_added();
    stage_end(&r->stage);
    return done;
}

bool verb_record(const Call *call, Err *err) {
    Recorder *r = heap_get_zero(1, sizeof *r);
    if (r == NULL)
        return err_fail(err, "memory", "too little to start; close other programs");
    r->session = session_share(&call->session);
    r->settings = call->settings;
    bool done = plan(r, call, err) && record(r, call, err);
    session_release(&r->session);
    if (r->moves)
        state_motion_release(&r->motion);
    tour_film_release(&r->tour);
    text_out_release(&r->chapters);
    free(r);
    return done;
}
