#include "support/book.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/drawn.h"

static char *copy_of(const char *line) {
    size_t bytes = strlen(line) + 1;
    char *copy = malloc(bytes);
    assert_non_null(copy);
    return memcpy(copy, line, bytes);
}

void book_open(Book *book, const char *name) {
    const char *mode = getenv("HEADLIGHT_GOLDEN");
    *book = (Book){.writing = mode != NULL && strcmp(mode, "write") == 0};
    snprintf(book->path, sizeof book->path, "tests/golden/%s.txt", name);
    book->file = fopen(book->path, book->writing ? "w" : "r");
    if (book->file == NULL)
        fail_msg("%s cannot be opened", book->path);
}

/* The line of an earlier page that stands where line i of one with count lines does: both share
 * their first `same` lines, and what follows is counted from the end. NULL for none. */
static const char *like_line(const BookPage *like, int i, int count, int same) {
    int at = i < same ? i : i - count + like->count;
    return at >= 0 && at < like->count && (i < same || at >= same) ? like->lines[at] : NULL;
}

static int same_lines(const BookPage *like, const BookPage *page) {
    int same = 0;
    while (same < like->count && same < page->count &&
           strcmp(like->lines[same], page->lines[same]) == 0)
        same++;
    return same;
}

static BookPage page_drawn(const DrawList *list) {
    char line[DRAWN_LINE_MAX];
    BookPage page = {malloc((list->command_count + 1) * sizeof *page.lines), 0};
    assert_non_null(page.lines);
    for (size_t i = 0; i < list->command_count; i++) {
        drawn_print(line, list, &list->commands[i]);
        page.lines[page.count++] = copy_of(line);
    }
    return page;
}

static void page_release(BookPage *page) {
    for (int i = 0; i < page->count; i++)
        free(page->lines[i]);
    free(page->lines);
}

static void page_write(FILE *file, const BookPage *page, const BookPage *like, const char *title) {
    int same = same_lines(like, page);
    fprintf(file, "# %s: %d, %d as before\n", title, page->count, same);
    for (int i = 0; i < page->count; i++) {
        const char *before = like_line(like, i, page->count, same);
        if (before == NULL || strcmp(before, page->lines[i]) != 0)
            fprintf(file, "%d: %s\n", i + 1, page->lines[i]);
    }
}

/* The page as the file has it, of which a title is expected. */
static BookPage page_read(const Book *book, const BookPage *like, const char *title) {
    char line[DRAWN_LINE_MAX + 16] = "";
    FILE *file = book->file;
    int count = -1, same = 0;
    size_t length = strlen(title);
    bool has = fgets(line, sizeof line, file) != NULL && strncmp(line + 2, title, length) == 0 &&
               sscanf(line + 2 + length, ": %d, %d as", &count, &same) == 2;
    if (!has || count < 0)
        fail_msg("%s has no “%s” (`make golden` writes it)", book->path, title);
    BookPage page = {calloc((size_t)count + 1, sizeof *page.lines), count};
    assert_non_null(page.lines);
    long next = ftell(file);
    while (fgets(line, sizeof line, file) != NULL && line[0] != '#') {
        char *text;
        long at = strtol(line, &text, 10) - 1;
        assert_true(at >= 0 && at < count && page.lines[at] == NULL);
        line[strcspn(line, "\n")] = '\0';
        page.lines[at] = copy_of(text + 2);
        next = ftell(file);
    }
    assert_int_equal(fseek(file, next, SEEK_SET), 0);
    for (int i = 0; i < count; i++)
        if (page.lines[i] == NULL) {
            const char *before = like_line(like, i, count, same);
            page.lines[i] = copy_of(before != NULL ? before : "");
        }
    return page;
}

int book_add(Book *book, const DrawList *list, const char *title, int like) {
    static const BookPage none = {NULL, 0};
    assert_true(book->count < BOOK_PAGES);
    const BookPage *before = like < 0 ? &none : &book->pages[like];
    BookPage *page = &book->pages[book->count], drawn = page_drawn(list);
    if (book->writing) {
        page_write(book->file, &drawn, before, title);
        *page = drawn;
        return book->count++;
    }
    *page = page_read(book, before, title);
    for (int i = 0; i < drawn.count || i < page->count; i++) {
        const char *is = i < drawn.count ? drawn.lines[i] : "nothing";
        const char *was = i < page->count ? page->lines[i] : "nothing";
        if (!drawn_line_agrees(is, was))
            fail_msg("%s, %s, line %d: is\n  %s\nbut was\n  %s\n(`make golden` takes the new one)",
                     book->path, title, i + 1, is, was);
    }
    page_release(&drawn);
    return book->count++;
}

void book_close(Book *book) {
    bool goes_on = !book->writing && fgetc(book->file) != EOF;
    assert_int_equal(fclose(book->file), 0);
    for (int i = 0; i < book->count; i++)
        page_release(&book->pages[i]);
    if (goes_on)
        fail_msg("%s goes on", book->path);
}
