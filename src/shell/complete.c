
#include <string.h>

#include "shell/output.h"

/* The word to complete. Its first `head` bytes stay. An id is offered if it begins with the word's
 * other bytes. */
typedef struct Partial {
    TextOut *to;
    const char *word;
    size_t head;
} Partial;

static void offer(const Partial *partial, const Entry *entry) {
    const char *start = partial->word + partial->head;
    if (entry->id[0] != '\0' && strncmp(entry->id, start, strlen(start)) == 0)
        text_out(partial->to, "%.*s%s\t%s\n", (int)partial->head, partial->word, entry->id,
                 entry->help);
}

static void offer_all(const Partial *partial, const Registry *registry) {
    for (int i = 0; i < registry->count; i++)
        offer(partial, registry_entry(registry, i));
}

/* Print the values of the option `key`, if they are words. In a list, complete only the item after
 * the last comma. */
static void offer_values(Partial partial, const char *key, size_t key_bytes) {
    const OptionRow *row = option_find(&STATE_OPTIONS, key, key_bytes);
    int own = registry_find(&CALL_OPTION_REGISTRY, key, key_bytes);
    if (row == NULL)
        row = option_find(&PICTURE_OPTIONS, key, key_bytes);
    if (own >= 0 && CALL_OPTIONS[own].choices != NULL)
        offer_all(&partial, CALL_OPTIONS[own].choices);
    if (row == NULL || row->choices == NULL)
        return;
    const char *comma = row->kind == OPTION_LIST ? strrchr(partial.word + partial.head, ',') : NULL;
    if (comma != NULL)
        partial.head = (size_t)(comma + 1 - partial.word);
    offer_all(&partial, row->choices);
    if (row->absent != NULL)
        offer(&partial, &(Entry){row->absent, "", "", "no value"});
}

/* True if the word is an option whose value must be the next word. */
static bool awaits_value(const char *word) {
    if (strncmp(word, "--", 2) != 0 || strchr(word, '=') != NULL)
        return word[0] == '-' && word[1] == 'o' && word[2] == '\0';
    int own = registry_find(&CALL_OPTION_REGISTRY, word + 2, strlen(word + 2));
    return own < 0 ? word[2] != '\0' : CALL_OPTIONS[own].entry.formula[0] != '\0';
}

static void offer_for(TextOut *to, int count, char *const *words) {
    const char *word = words[count - 1], *before = count > 1 ? words[count - 2] : "";
    const char *equals = strncmp(word, "--", 2) == 0 ? strchr(word, '=') : NULL;
    const Entry *option;
    int at = 0;
    int verb = count > 1 ? registry_find(&VERB_REGISTRY, words[0], strlen(words[0])) : 0;
    if (strcmp(before, "=") == 0 && count > 2) /* bash passes "=" as a word of its own */
        before = words[count - 3];
    if (awaits_value(before))
        offer_values((Partial){to, word[0] == '=' ? "" : word, 0}, before + 2, strlen(before + 2));
    else if (equals != NULL)
        offer_values((Partial){to, word, (size_t)(equals + 1 - word)}, word + 2,
                     (size_t)(equals - word - 2));
    else if (strcmp(word, "-") == 0 || strncmp(word, "--", 2) == 0)
        while ((option = call_option(&at, &VERBS[verb < 0 ? 0 : verb])) != NULL)
            offer(&(Partial){to, word[1] == '\0' ? "--" : word, 2}, option);
    else if (count == 1)
        offer_all(&(Partial){to, word, 0}, &VERB_REGISTRY);
    else if (count == 2 && strcmp(words[0], "list") == 0)
        for (int i = 0; list_kind(i) != NULL; i++)
            offer(&(Partial){to, word, 0}, &(Entry){list_kind(i)->kind, "", "", ""});
}

bool complete_print(int count, char *const *words, Err *err) {
    TextOut text = {0};
    if (count > 0)
        offer_for(&text, count, words);
    return print_text(&text, err);
}
