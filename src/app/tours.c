#include "app/tours.h"

#include <string.h>

#include "base/util.h"

const TourRow TOURS[] = {
    {{"first", "A first look", "", "Read a matrix of attention in a minute."}, ""},
    {{"weights", "Two kinds of weights", "", "What is learned, what is computed, and the graph."},
     "two-kinds"},
    {{"init", "How large should the initial weights be?", "",
      "Scores of standard deviation 1, and what changes that."},
     "width"},
    {{"two-matrices", "Why two matrices?", "", "W_Q, W_K, their product and its rank."},
     "two-matrices"},
    {{"embedding", "Are W_Q and W_K the embedding?", "",
      "What attention is if W_Q and W_K are both I."},
     "embedding"},
    {{"redundant", "What in the layer is redundant?", "", "Rotations, biases and parameters."},
     "meaning"},
    {{"trained", "What does training make of it?", "",
      "Trained layers read the word before, the same word, a similar word."},
     ""},
    {{"next-word", "How does it guess the next word?", "",
      "Two layers make an induction head: it finds what followed before."},
     ""},
    {{"merge", "The merge", "", "Two factors become one matrix, and A stays the same."}, ""},
    {{"lecture", "What is attention?", "",
      "A lecture of ten minutes: attention, why W_Q and W_K, how to initialise."},
     ""},
};
const Registry TOUR_REGISTRY = REGISTRY("tours", "tour", TOURS);

const char *tour_of_question(const char *question) {
    for (size_t i = 0; i < ARRAY_COUNT(TOURS); i++)
        if (strcmp(TOURS[i].question, question) == 0)
            return TOURS[i].entry.id;
    return NULL;
}
