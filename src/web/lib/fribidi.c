#include <fribidi.h>
#include <stdbool.h>
#include <string.h>
#include <utf8proc.h>

/* Character classes of Unicode Standard Annex 9; separators and blanks are neutral. */
enum { NEUTRAL, L, R, AL, EN, AN, ES, ET, CS, NSM };

static bool is_within(FriBidiChar c, FriBidiChar first, FriBidiChar last) {
    return c >= first && c <= last;
}

static FriBidiCharType class_of_letter(FriBidiChar c) {
    bool is_arabic = is_within(c, 0x600, 0x7BF) || is_within(c, 0x860, 0x8FF) ||
                     is_within(c, 0xFB50, 0xFDFF) || is_within(c, 0xFE70, 0xFEFF) ||
                     is_within(c, 0x1EE00, 0x1EEFF);
    bool is_hebrew = is_within(c, 0x590, 0x5FF) || is_within(c, 0x7C0, 0x85F) ||
                     is_within(c, 0xFB1D, 0xFB4F) || is_within(c, 0x10800, 0x10FFF) ||
                     is_within(c, 0x1E800, 0x1EDFF);
    return is_arabic ? AL : is_hebrew ? R : L;
}

static FriBidiCharType class_of(FriBidiChar c) {
    utf8proc_category_t category = utf8proc_category((utf8proc_int32_t)c);
    if (c < 0x80 && c != 0 && strchr("#$%", (int)c) != NULL)
        return ET;
    if (c < 0x80 && c != 0 && strchr("+-", (int)c) != NULL)
        return ES;
    if (c < 0x80 && c != 0 && strchr(",./:", (int)c) != NULL)
        return CS;
    if (is_within(c, 0x660, 0x669))
        return AN;
    if (is_within(c, '0', '9') || is_within(c, 0x6F0, 0x6F9))
        return EN;
    if (c == 0x200E || c == 0x200F)
        return c == 0x200E ? L : R;
    if (category == UTF8PROC_CATEGORY_MN || category == UTF8PROC_CATEGORY_ME)
        return NSM;
    if (category == UTF8PROC_CATEGORY_SC)
        return ET;
    bool is_letter = (category >= UTF8PROC_CATEGORY_LU && category <= UTF8PROC_CATEGORY_LO) ||
                     category == UTF8PROC_CATEGORY_MC ||
                     (category >= UTF8PROC_CATEGORY_ND && category <= UTF8PROC_CATEGORY_NO);
    return is_letter ? class_of_letter(c) : NEUTRAL;
}

void fribidi_get_bidi_types(const FriBidiChar *text, FriBidiStrIndex count,
                            FriBidiCharType *types) {
    for (int i = 0; i < count; i++)
        types[i] = class_of(text[i]);
}

void fribidi_get_bracket_types(const FriBidiChar *text, FriBidiStrIndex count,
                               const FriBidiCharType *types, FriBidiBracketType *brackets) {
    (void)text, (void)types;
    memset(brackets, 0, (size_t)count);
}

/* Find the direction of the paragraph: rules P2 and P3. */
static FriBidiParType base_of(const FriBidiCharType *types, int count) {
    for (int i = 0; i < count; i++)
        if (types[i] == L || types[i] == R || types[i] == AL)
            return types[i] == L ? FRIBIDI_PAR_LTR : FRIBIDI_PAR_RTL;
    return FRIBIDI_PAR_LTR;
}

/* Apply rules W1 to W4. start is the class at both ends of the line. */
static void resolve_marks(FriBidiCharType *types, int count, FriBidiCharType start) {
    FriBidiCharType before = start, strong = start;
    for (int i = 0; i < count; i++) {
        FriBidiCharType after = i + 1 < count ? types[i + 1] : start;
        if (types[i] == NSM)
            types[i] = before;
        if (types[i] == L || types[i] == R || types[i] == AL)
            strong = types[i];
        if (types[i] == EN && strong == AL)
            types[i] = AN;
        if (before == EN && after == EN && strong != AL && (types[i] == ES || types[i] == CS))
            types[i] = EN;
        if (before == AN && types[i] == CS && (after == AN || (after == EN && strong == AL)))
            types[i] = AN;
        before = types[i];
        if (types[i] == AL)
            types[i] = R;
    }
}

/* Apply rules W5 to W7. */
static void resolve_numbers(FriBidiCharType *types, int count, FriBidiCharType start) {
    FriBidiCharType strong = start;
    for (int from = 0, to; from < count; from = to) {
        for (to = from; to < count && types[to] == ET; to++)
            ;
        bool joins = (from > 0 && types[from - 1] == EN) || (to < count && types[to] == EN);
        for (int i = from; i < to; i++)
            types[i] = joins ? EN : NEUTRAL;
        to = to > from ? to : from + 1;
    }
    for (int i = 0; i < count; i++) {
        if (types[i] == L || types[i] == R)
            strong = types[i];
        else if (types[i] == EN && strong == L)
            types[i] = L;
        else if (types[i] != EN && types[i] != AN)
            types[i] = NEUTRAL;
    }
}

/* Return the direction that a character of this class gives to neutral characters next to it.
 * Numbers count as right-to-left. */
static FriBidiCharType side_of(FriBidiCharType type) {
    return type == L ? L : R;
}

/* Apply rules N1 and N2. */
static void resolve_neutrals(FriBidiCharType *types, int count, FriBidiCharType start) {
    for (int from = 0, to; from < count; from = to) {
        for (to = from; to < count && types[to] == NEUTRAL; to++)
            ;
        FriBidiCharType before = from > 0 ? side_of(types[from - 1]) : start;
        FriBidiCharType after = to < count ? side_of(types[to]) : start;
        for (int i = from; i < to; i++)
            types[i] = before == after ? before : start;
        to = to > from ? to : from + 1;
    }
}

FriBidiLevel fribidi_get_par_embedding_levels_ex(FriBidiCharType *types,
                                                 const FriBidiBracketType *brackets,
                                                 FriBidiStrIndex count, FriBidiParType *base,
                                                 FriBidiLevel *levels) {
    (void)brackets;
    if (*base == FRIBIDI_PAR_ON)
        *base = base_of(types, count);
    bool is_rtl = FRIBIDI_IS_RTL(*base);
    FriBidiCharType start = is_rtl ? R : L;
    int trailing = count; /* rule L1 */
    while (trailing > 0 && types[trailing - 1] == NEUTRAL)
        trailing--;
    resolve_marks(types, count, start);
    resolve_numbers(types, count, start);
    resolve_neutrals(types, count, start);
    for (int i = 0; i < count; i++) { /* rules I1 and I2 */
        bool is_number = types[i] == EN || types[i] == AN;
        levels[i] = is_number ? 2 : is_rtl ? (types[i] == L ? 2 : 1) : types[i] == R;
        if (i >= trailing)
            levels[i] = is_rtl;
    }
    return 3;
}
