#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/rng.h"
#include "base/util.h"
#include "support/test.h"
#include "text/bpe.h"

#define MADE(rank) (uint16_t)(BPE_BYTES + (rank))
#define ROOM       512

typedef struct Table {
    Bpe bpe;
    uint16_t slots[256];
} Table;

static void build(Table *table, const BpeMerge *merges, int count) {
    memset(table->slots, 0, sizeof table->slots);
    assert_in_range(bpe_slot_count(count), 1, ARRAY_COUNT(table->slots));
    assert_int_equal(bpe_build(&table->bpe, table->slots, merges, count), count);
}

/* Assert the tokens of piece, given with spaces between them. */
static void check(const Bpe *bpe, const char *piece, const char *expected) {
    BpeNode nodes[ROOM];
    uint64_t queue[2 * ROOM];
    BpeRoom room = {nodes, queue};
    char joined[2 * ROOM];
    size_t bytes = strlen(piece), used = 0;
    bpe_join(&room, bpe, piece, bytes);
    for (size_t at = 0; at < bytes; at = nodes[at].next)
        used += (size_t)snprintf(joined + used, sizeof joined - used, "%s%.*s", at > 0 ? " " : "",
                                 (int)(nodes[at].next - at), piece + at);
    assert_string_equal(joined, expected);
}

static void lowest_rank_goes_first(void **state) {
    static const BpeMerge merges[] = {{'b', 'c'}, {'a', 'b'}, {'c', 'd'}, {MADE(1), MADE(2)}};
    Table table;
    build(&table, merges, 4);
    check(&table.bpe, "abcd", "a bc d");
    check(&table.bpe, "abd", "ab d");
    check(&table.bpe, "acd", "a cd");
    check(&table.bpe, "x", "x");
}

static void leftmost_of_equals_goes_first(void **state) {
    static const BpeMerge merges[] = {{'a', 'a'}, {MADE(0), 'a'}, {MADE(0), MADE(0)}};
    Table table;
    build(&table, merges, 3);
    check(&table.bpe, "aaa", "aaa");
    check(&table.bpe, "aaaa", "aaaa");
    check(&table.bpe, "aaaaa", "aa aaa");
    check(&table.bpe, "aabaaab", "aa b aaa b");
}

static void joined_tokens_join_again(void **state) {
    static const BpeMerge merges[] = {
        {'t', 'h'}, {MADE(0), 'e'}, {' ', MADE(1)}, {'e', 'n'}, {MADE(2), 'n'}};
    Table table;
    build(&table, merges, 5);
    check(&table.bpe, " the", " the");
    check(&table.bpe, " then", " then");
    check(&table.bpe, "then", "the n");
    check(&table.bpe, "en", "en");
}

static void every_byte_is_a_token(void **state) {
    Table table;
    build(&table, NULL, 0);
    check(&table.bpe, "\x01\x7f\x80\xff", "\x01 \x7f \x80 \xff");
}

static void ranks_are_found(void **state) {
    static const BpeMerge merges[] = {{0, 0}, {255, 255}, {MADE(1), MADE(0)}};
    Table table;
    build(&table, merges, 3);
    assert_int_equal(bpe_rank(&table.bpe, 0, 0), 0);
    assert_int_equal(bpe_rank(&table.bpe, 255, 255), 1);
    assert_int_equal(bpe_rank(&table.bpe, MADE(1), MADE(0)), 2);
    assert_int_equal(bpe_rank(&table.bpe, MADE(0), MADE(1)), BPE_NO_MERGE);
    assert_int_equal(bpe_rank(&table.bpe, 0, 255), BPE_NO_MERGE);
}

static void impossible_merges_are_refused(void **state) {
    static const BpeMerge itself[] = {{'a', 'b'}, {MADE(1), 'c'}};
    static const BpeMerge later[] = {{'a', MADE(1)}, {'b', 'c'}};
    static const BpeMerge twice[] = {{'a', 'b'}, {'b', 'c'}, {'a', 'b'}};
    Bpe bpe;
    uint16_t slots[16] = {0};
    assert_int_equal(bpe_build(&bpe, slots, itself, 2), 1);
    memset(slots, 0, sizeof slots);
    assert_int_equal(bpe_build(&bpe, slots, later, 2), 0);
    memset(slots, 0, sizeof slots);
    assert_int_equal(bpe_build(&bpe, slots, twice, 3), 2);
}

/* The definition: apply one rank at a time, to each of its pairs from left to right. */
static int join_slowly(uint16_t *tokens, int count, const BpeMerge *merges, int merge_count) {
    for (int rank = 0; rank < merge_count; rank++) {
        int kept = 0;
        for (int i = 0; i < count; i++) {
            bool joins = i + 1 < count && tokens[i] == merges[rank].left &&
                         tokens[i + 1] == merges[rank].right;
            tokens[kept++] = joins ? MADE(rank) : tokens[i];
            i += joins;
        }
        count = kept;
    }
    return count;
}

static void random_merges_follow_the_definition(void **state) {
    for (uint64_t round = 0; round < 500; round++) {
        Rng rng = rng_stream(11, round);
        BpeMerge merges[60];
        uint64_t draws = 0;
        int count = 0;
        for (int tries = 0; tries < 60; tries++) {
            uint16_t pair[2];
            bool fresh = true;
            for (int side = 0; side < 2; side++) {
                uint64_t draw = rng_bits(rng, draws++) % (uint64_t)(3 + count);
                pair[side] = draw < 3 ? (uint16_t)('a' + draw) : MADE(draw - 3);
            }
            for (int i = 0; i < count; i++)
                fresh &= merges[i].left != pair[0] || merges[i].right != pair[1];
            if (fresh)
                merges[count++] = (BpeMerge){pair[0], pair[1]};
        }
        Table table;
        build(&table, merges, count);
        char piece[200];
        uint16_t slow[200];
        size_t bytes = 1 + (size_t)(rng_bits(rng, draws++) % sizeof piece);
        for (size_t i = 0; i < bytes; i++)
            slow[i] = (unsigned char)(piece[i] = (char)('a' + rng_bits(rng, draws++) % 3));
        BpeNode nodes[200];
        uint64_t queue[400];
        BpeRoom room = {nodes, queue};
        bpe_join(&room, &table.bpe, piece, bytes);
        int expected = join_slowly(slow, (int)bytes, merges, count), found = 0;
        for (size_t at = 0; at < bytes; at = nodes[at].next, found++)
            assert_int_equal(nodes[at].token, slow[found]);
        assert_int_equal(found, expected);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lowest_rank_goes_first),
        cmocka_unit_test(leftmost_of_equals_goes_first),
        cmocka_unit_test(joined_tokens_join_again),
        cmocka_unit_test(every_byte_is_a_token),
        cmocka_unit_test(ranks_are_found),
        cmocka_unit_test(impossible_merges_are_refused),
        cmocka_unit_test(random_merges_follow_the_definition),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
