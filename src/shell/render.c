#include <stdlib.h>

#include "base/util.h"
#include "shell/output.h"
#include "shell/pass.h"
#include "shell/stage.h"
#include "shell/verbs.h"

/* When the picture is taken: whatever moves on its own has come to rest. */
#define SETTLED_S 60.0

static const OutputFormat FORMATS[] = {
    {{"png", "PNG", "", "A picture of --size pixels."}, false},
};
static const Registry FORMAT_REGISTRY = {"formats", "format", FORMATS, sizeof FORMATS[0],
                                         ARRAY_COUNT(FORMATS)};

/* The window shows what it can of a text that is too long or has no token; a verb does not. */
static bool check_session(const Session *session, Err *err) {
    Pass pass;
    if (!pass_begin(&pass, session, err))
        return false;
    pass_end(&pass);
    return true;
}

static bool draw_png(unsigned char **bytes, size_t *size, const Call *call, Err *err) {
    Stage stage;
    if (!stage_begin(&stage, &call->session, &call->settings, err))
        return false;
    stage_frame(&stage, NULL, 0, 0);
    stage_frame(&stage, NULL, 0, SETTLED_S);
    bool whole = stage.list.dropped == 0 ? stage_png(bytes, size, &stage, err)
                                         : err_fail(err, "memory",
                                                    "too little for the picture; "
                                                    "use a shorter --text");
    stage_end(&stage);
    return whole;
}

bool verb_render(const Call *call, Err *err) {
    int format;
    unsigned char *bytes = NULL;
    size_t size = 0;
    if (!output_format(&format, &FORMAT_REGISTRY, call, err) ||
        !check_session(&call->session, err) || !draw_png(&bytes, &size, call, err))
        return false;
    bool wrote = file_write_atomic(call->output, bytes, size, err);
    free(bytes);
    return wrote;
}
