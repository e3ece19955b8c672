#include <string.h>

#include "app/commands.h"
#include "app/examples.h"
#include "base/util.h"
#include "draw/palette.h"
#include "draw/theme.h"
#include "io/architecture.h"
#include "io/json.h"
#include "model/attention/embedding.h"
#include "model/attention/optimiser.h"
#include "model/attention/position.h"
#include "model/attention/task.h"
#include "model/init/scheme.h"
#include "shell/output.h"
#include "shell/verbs.h"
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
    json_t *list = json_array();
    bool complete = list != NULL;
    for (int i = 0; i < kind->count && complete; i++) {
        const Entry *entry = registry_entry(kind, i);
        complete = json_array_append_new(list, json_pack("{s:s, s:s, s:s, s:s}", "id", entry->id,
                                                         "label", entry->label, "formula",
                                                         entry->formula, "help", entry->help)) == 0;
    }
    json_put(to, complete ? list : NULL, JSON_INDENT(2));
    text_out(to, "\n");
    json_decref(list);
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
