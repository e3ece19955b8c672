#include <stdio.h>
#include <string.h>

#include "app/commands.h"
#include "app/examples.h"
#include "base/util.h"
#include "draw/palette.h"
#include "draw/theme.h"
#include "io/architecture.h"
#include "model/attention/embedding.h"
#include "model/attention/optimiser.h"
#include "model/attention/position.h"
#include "model/attention/task.h"
#include "model/init/scheme.h"
#include "shell/output.h"
#include "text/tokenizer.h"
#include "views/parts.h"
#include "views/view.h"

static const Registry *const KINDS[] = {
    &SCHEME_REGISTRY, &VIEW_REGISTRY, &PALETTE_REGISTRY,   &THEME_REGISTRY,
    &ATTN_FORMS,      &MASKS,         &TOKENIZER_REGISTRY, &EMBEDDINGS,
    &POSITIONS,       &TASK_REGISTRY, &OPTIMISER_REGISTRY, &COMMAND_REGISTRY,
    &PART_REGISTRY,   &TOUR_REGISTRY, &TRAINED_REGISTRY,   &ARCHITECTURE_REGISTRY,
};

const Registry *list_kind(int index) {
    return index < (int)ARRAY_COUNT(KINDS) ? KINDS[index] : NULL;
}

static const Registry *find_kind(const char *word, Err *err) {
    char kinds[200] = "";
    for (size_t i = 0; i < ARRAY_COUNT(KINDS); i++) {
        if (strcmp(KINDS[i]->kind, word) == 0)
            return KINDS[i];
        size_t used = strlen(kinds);
        snprintf(kinds + used, sizeof kinds - used, "%s%s", i > 0 ? ", " : "", KINDS[i]->kind);
    }
    err_usage(err, call_name(word), "no such kind; there are: %s", kinds);
    return NULL;
}

static void put_json(TextOut *to, const Registry *kind) {
    static const char *const KEYS[] = {"id", "label", "formula", "help"};
    text_out(to, "[");
    for (int i = 0; i < kind->count; i++) {
        const Entry *entry = registry_entry(kind, i);
        const char *const values[] = {entry->id, entry->label, entry->formula, entry->help};
        for (size_t k = 0; k < ARRAY_COUNT(KEYS); k++) {
            text_out(to, "%s\n    \"%s\": ", k > 0 ? "," : i > 0 ? ",\n  {" : "\n  {", KEYS[k]);
            text_out_quoted(to, values[k]);
        }
        text_out(to, "\n  }");
    }
    text_out(to, "\n]\n");
}

bool verb_list(const Call *call, Err *err) {
    const Registry *kind = find_kind(call->word, err);
    TextOut text = {0};
    if (kind == NULL)
        return false;
    if (call->json)
        put_json(&text, kind);
    for (int i = 0; !call->json && i < kind->count; i++)
        text_out(&text, "%s\n", registry_entry(kind, i)->id);
    return print_text(&text, err);
}
