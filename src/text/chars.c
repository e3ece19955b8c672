#include "text/chars.h"

#include "text/grapheme.h"

bool chars_split(TokenList *out, const char *text, size_t size, const TextResources *resources,
                 Err *err) {
    (void)resources;
    (void)err;
    out->total = 0;
    for (Grapheme g = grapheme_at(text, size, 0); g.class != GRAPHEME_NONE;
         g = grapheme_after(text, size, g))
        token_add(out, g.at, g.bytes, -1);
    return true;
}
