#include <jansson.h>
#include <string.h>

#include "app/commands.h"
#include "base/util.h"
#include "draw/palette.h"
#include "draw/theme.h"
#include "model/embedding.h"
#include "model/position.h"
#include "model/scheme.h"
#include "shell/print.h"
#include "shell/verbs.h"
#include "text/tokenizer.h"
#include "views/view.h"

static const Registry *const KINDS[] = {
    &SCHEME_REGISTRY, &VIEW_REGISTRY,      &PALETTE_REGISTRY, &THEME_REGISTRY, &ATTN_FORMS,
    &MASKS,           &TOKENIZER_REGISTRY, &EMBEDDINGS,       &POSITIONS,      &COMMAND_REGISTRY,
};

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

static json_t *entry_object(const Entry *entry) {
    return json_pack("{s:s, s:s, s:s, s:s}", "id", entry->id, "label", entry->label, "formula",
                     entry->formula, "help", entry->help);
}

static bool put_json(FILE *to, const Registry *kind, Err *err) {
    json_t *list = json_array();
    bool complete = list != NULL;
    for (int i = 0; i < kind->count && complete; i++)
        complete = json_array_append_new(list, entry_object(registry_entry(kind, i))) == 0;
    complete = complete && json_dumpf(list, to, JSON_INDENT(2)) == 0 && fputc('\n', to) != EOF;
    json_decref(list);
    return complete ? true : err_fail(err, "memory", "too little to list; close other programs");
}

static bool put_ids(FILE *to, const Registry *kind) {
    for (int i = 0; i < kind->count; i++)
        fprintf(to, "%s\n", registry_entry(kind, i)->id);
    return true;
}

bool verb_list(const Call *call, Err *err) {
    const Registry *kind = find_kind(call->word, err);
    Print print;
    if (kind == NULL || !print_begin(&print, err))
        return false;
    if (call->json ? put_json(print.to, kind, err) : put_ids(print.to, kind))
        return print_end(&print, err);
    print_discard(&print);
    return false;
}
