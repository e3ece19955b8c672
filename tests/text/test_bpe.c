#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/rng.h"
#include "base/util.h"
#include "support/test.h"
#include "text/vocabulary.h"

#define MADE(rank) (uint32_t)(BPE_BYTES + (rank))
#define ROOM       512

typedef struct Table {
    Bpe bpe;
    BpeMerge merges[ROOM];
} Table;

/* A pair is joined to the token of its rank. */
static void build(Table *table, const uint32_t pairs[][2], int count) {
    for (int i = 0; i < count; i++)
        table->merges[i] = (BpeMerge){pairs[i][0], pairs[i][1], MADE(i), 0};
    table->bpe = (Bpe){table->merges, (uint32_t)count};
    assert_int_equal(bpe_sort(&table->bpe), count);
}

/* Join a piece whose bytes are tokens. */
static void join(BpeNode nodes[ROOM], const Bpe *bpe, const char *piece, size_t bytes) {
    uint64_t queue[2 * ROOM];
    for (uint32_t i = 0; i < bytes; i++)
        nodes[i] = (BpeNode){.next = i + 1, .token = (unsigned char)piece[i]};
    bpe_join(nodes, queue, bpe, bytes);
}

/* Assert the tokens of piece, given with spaces between them. */
static void check(const Bpe *bpe, const char *piece, const char *expected) {
    BpeNode nodes[ROOM];
    char joined[2 * ROOM];
    size_t bytes = strlen(piece), used = 0;
    join(nodes, bpe, piece, bytes);
    for (size_t at = 0; at < bytes; at = nodes[at].next)
        used += (size_t)snprintf(joined + used, sizeof joined - used, "%s%.*s", at > 0 ? " " : "",
                                 (int)(nodes[at].next - at), piece + at);
    assert_string_equal(joined, expected);
}

TEST(lowest_rank_goes_first) {
    static const uint32_t merges[][2] = {{'b', 'c'}, {'a', 'b'}, {'c', 'd'}, {MADE(1), MADE(2)}};
    Table table;
    build(&table, merges, 4);
    check(&table.bpe, "abcd", "a bc d");
    check(&table.bpe, "abd", "ab d");
    check(&table.bpe, "acd", "a cd");
    check(&table.bpe, "x", "x");
}

TEST(leftmost_of_equals_goes_first) {
    static const uint32_t merges[][2] = {{'a', 'a'}, {MADE(0), 'a'}, {MADE(0), MADE(0)}};
    Table table;
    build(&table, merges, 3);
    check(&table.bpe, "aaa", "aaa");
    check(&table.bpe, "aaaa", "aaaa");
    check(&table.bpe, "aaaaa", "aa aaa");
    check(&table.bpe, "aabaaab", "aa b aaa b");
}

TEST(joined_tokens_join_again) {
    static const uint32_t merges[][2] = {
        {'t', 'h'}, {MADE(0), 'e'}, {' ', MADE(1)}, {'e', 'n'}, {MADE(2), 'n'}};
    Table table;
    build(&table, merges, 5);
    check(&table.bpe, " the", " the");
    check(&table.bpe, " then", " then");
    check(&table.bpe, "then", "the n");
    check(&table.bpe, "en", "en");
}

TEST(every_byte_is_a_token) {
    Table table;
    build(&table, NULL, 0);
    check(&table.bpe, "\x01\x7f\x80\xff", "\x01 \x7f \x80 \xff");
}

TEST(ranks_are_found) {
    static const uint32_t merges[][2] = {{0, 0}, {255, 255}, {MADE(1), MADE(0)}};
    Table table;
    build(&table, merges, 3);
    assert_int_equal(bpe_merge(&table.bpe, 0, 0)->rank, 0);
    assert_int_equal(bpe_merge(&table.bpe, 255, 255)->rank, 1);
    assert_int_equal(bpe_merge(&table.bpe, MADE(1), MADE(0))->rank, 2);
    assert_null(bpe_merge(&table.bpe, MADE(0), MADE(1)));
    assert_null(bpe_merge(&table.bpe, 0, 255));
}

TEST(a_pair_twice_is_refused) {
    BpeMerge twice[] = {{'a', 'b', 'x', 0}, {'b', 'c', 'y', 0}, {'a', 'b', 'z', 0}};
    assert_int_equal(bpe_sort(&(Bpe){twice, 3}), 2);
}

/* Two pairs may make the same token, and a token may be in no pair. */
TEST(a_token_may_be_joined_in_two_ways) {
    BpeMerge merges[] = {
        {'a', 'b', 300, 0}, {'b', 'c', 301, 0}, {300, 'c', 302, 0}, {'a', 301, 302, 0}};
    Bpe bpe = {merges, 4};
    assert_int_equal(bpe_sort(&bpe), 4);
    check(&bpe, "abc", "abc");
    check(&bpe, "xbca", "x bc a");
    assert_null(bpe_merge(&bpe, BPE_NO_TOKEN, 'a'));
}

/* The definition: apply one rank at a time, to each of its pairs from left to right. */
static int join_slowly(uint32_t *tokens, int count, const uint32_t merges[][2], int merge_count) {
    for (int rank = 0; rank < merge_count; rank++) {
        int kept = 0;
        for (int i = 0; i < count; i++) {
            bool joins =
                i + 1 < count && tokens[i] == merges[rank][0] && tokens[i + 1] == merges[rank][1];
            tokens[kept++] = joins ? MADE(rank) : tokens[i];
            i += joins;
        }
        count = kept;
    }
    return count;
}

TEST(random_merges_follow_the_definition) {
    for (uint64_t round = 0; round < 500; round++) {
        Rng rng = rng_stream(11, round);
        uint32_t merges[60][2];
        uint64_t draws = 0;
        int count = 0;
        for (int tries = 0; tries < 60; tries++) {
            uint32_t pair[2];
            bool fresh = true;
            for (int side = 0; side < 2; side++) {
                uint64_t draw = rng_bits(rng, draws++) % (uint64_t)(3 + count);
                pair[side] = draw < 3 ? (uint32_t)('a' + draw) : MADE(draw - 3);
            }
            for (int i = 0; i < count; i++)
                fresh &= merges[i][0] != pair[0] || merges[i][1] != pair[1];
            if (fresh)
                memcpy(merges[count++], pair, sizeof pair);
        }
        const uint32_t(*all)[2] = (const uint32_t(*)[2])merges;
        Table table;
        build(&table, all, count);
        char piece[200];
        uint32_t slow[200];
        size_t bytes = 1 + (size_t)(rng_bits(rng, draws++) % sizeof piece);
        for (size_t i = 0; i < bytes; i++)
            slow[i] = (unsigned char)(piece[i] = (char)('a' + rng_bits(rng, draws++) % 3));
        BpeNode nodes[ROOM];
        join(nodes, &table.bpe, piece, bytes);
        int expected = join_slowly(slow, (int)bytes, all, count), found = 0;
        for (size_t at = 0; at < bytes; at = nodes[at].next, found++)
            assert_int_equal(nodes[at].token, slow[found]);
        assert_int_equal(found, expected);
    }
}
