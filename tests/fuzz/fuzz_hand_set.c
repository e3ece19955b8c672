/* Any bytes as numbers set by hand: an accepted set is written, read back, painted, moved and
 * pruned, and stays sorted. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/utf8.h"
#include "check.h"
#include "choices.h"
#include "document/hand_set.h"
#include "document/options.h"

#define TOKENS 4

static void check_order(const HandSet *set) {
    check(set == NULL || (set->owners == 1 && set->count > 0 && set->count <= HAND_SET_MAX));
    for (int i = 0; set != NULL && i < set->count; i++) {
        check(i == 0 || hand_number_order(&set->at[i - 1], &set->at[i]) < 0);
        check(hand_set_find(set, &set->at[i]) == &set->at[i]);
    }
}

/* One set has one text, which is read back as that set. */
static void check_text(const HandSet *set) {
    HandSet *again = NULL;
    TextOut text = {0};
    Err err;
    hand_set_write(&text, set);
    check(!text.failed && hand_set_read(&again, text.at, text.used, &err));
    check(hand_set_equal(set, again));
    text_out_release(&text);
    hand_set_drop(again);
}

static AttnShape take_shape(Choices *choices) {
    Options options = {0};
    option_set_standard(&options, &STATE_OPTIONS);
    options.d_model = 1 + (int)(choices_take(choices) % 64);
    options.heads = 1 + (int)(choices_take(choices) % 4);
    return options_shape(&options, TOKENS, (AttnForm)(choices_take(choices) % FORM_COUNT));
}

static void edit(HandSet **set, Choices *choices) {
    HandNumber first = {.name = (int)(choices_take(choices) % HAND_NAME_COUNT),
                        .row = (int)(choices_take(choices) % 8),
                        .col = (int)(choices_take(choices) % 8),
                        .value = (float)choices_number(choices)};
    HandPaint paint = {first, (int)(choices_take(choices) % 4), (int)(choices_take(choices) % 4),
                       choices_take(choices) % 4 != 0};
    int places[TOKENS];
    Err err;
    for (int i = 0; i < TOKENS; i++)
        places[i] = (int)(choices_take(choices) % (TOKENS + 1)) - 1;
    first.head = hand_name_has_heads(first.name) ? (int)(choices_take(choices) % 4) : 0;
    if (hand_name_is_list(first.name)) {
        first.col = 0;
        paint.cols = paint.cols > 1 ? 1 : paint.cols;
    }
    paint.first = first;
    hand_set_paint(set, &paint, &err);
    check_order(*set);
    check_text(*set);
    hand_set_move(set, places, TOKENS, &err);
    check_order(*set);
    AttnShape shape = take_shape(choices);
    bool has_all = hand_set_check(*set, &shape, &err);
    int count = hand_set_numbers(*set).count;
    check(hand_set_prune(set, &shape, &err) && hand_set_check(*set, &shape, &err));
    check(has_all == (hand_set_numbers(*set).count == count));
    check_order(*set);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    HandSet *set = NULL;
    Err err = {0};
    if (hand_set_read(&set, (const char *)data, size, &err)) {
        check_order(set);
        check_text(set);
    } else {
        check(err.kind != ERR_NONE &&
              utf8_first_invalid(err.what, strlen(err.what)) == strlen(err.what));
        set = NULL;
    }
    /* The list mostly ends long before the choices do. */
    Choices choices = {data, size};
    for (int i = 0; i < 2; i++)
        edit(&set, &choices);
    hand_set_drop(set);
    return 0;
}
