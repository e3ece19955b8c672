/* book.h: many draw lists as one golden file: each is written as what differs from an earlier one
 * of the same file, so that a widget's states at every scale are read as a diff. */
#ifndef HEADLIGHT_TESTS_SUPPORT_BOOK_H
#define HEADLIGHT_TESTS_SUPPORT_BOOK_H

#include "draw/draw.h"

#define BOOK_PAGES 64

typedef struct BookPage {
    char **lines; /* owned, as is each of them; of the reviewed picture */
    int count;
} BookPage;

typedef struct Book {
    void *file; /* FILE * */
    bool writing;
    char path[256];
    BookPage pages[BOOK_PAGES];
    int count;
} Book;

/* tests/golden/NAME.txt; see drawn_golden. */
void book_open(Book *book, const char *name);

/* Compare the next page, or write it as what differs from page like, -1 for nothing. Fails the test
 * at the first line that differs. Returns the page's number. */
int book_add(Book *book, const DrawList *list, const char *title, int like);

/* Fails where the file goes on. */
void book_close(Book *book);

#endif
