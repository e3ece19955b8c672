/* zip.h: the functions of libzip that io/weights_npz.c and weights_file.c call, implemented in
 * browser.js. page.js unpacks an archive when the user opens it. */
#ifndef HEADLIGHT_WEB_ZIP_H
#define HEADLIGHT_WEB_ZIP_H

#include <stddef.h>
#include <stdint.h>

/* 32 bits, because a page needs no more and its JavaScript has no larger integers */
typedef int32_t zip_int64_t;
typedef uint32_t zip_uint64_t;
typedef struct zip zip_t;
typedef struct zip_file zip_file_t;
typedef int zip_error_t;
typedef struct zip_stat_t {
    zip_uint64_t valid, index, size, comp_size;
    uint32_t comp_method, encryption_method;
} zip_stat_t;

enum { ZIP_ER_OPEN, ZIP_ER_MEMORY, ZIP_ER_EXISTS, ZIP_RDONLY = 16, ZIP_CHECKCONS = 4 };
enum { ZIP_EM_NONE, ZIP_CM_STORE = 0, ZIP_CM_DEFLATE = 8 };

zip_t *zip_fdopen(int fd, int flags, int *code);
zip_int64_t zip_name_locate(zip_t *archive, const char *name, uint32_t flags);
void browser_member(zip_t *archive, zip_uint64_t at, zip_stat_t *stat);
zip_file_t *browser_open_member(zip_t *archive, zip_uint64_t at);
zip_int64_t zip_fread(zip_file_t *file, void *out, zip_uint64_t size);
void browser_forget(const void *handle);

#define zip_error_strerror(error)                                                                  \
    ((void)(error), "damaged, or compressed with a method other than deflate; save it without compression")
#define zip_error_code_zip(error)               ((void)(error), ZIP_ER_OPEN)
#define zip_error_init_with_code(error, code)   (*(error) = (code))
#define zip_error_fini(error)                   ((void)(error))
#define zip_get_error(archive)                  ((void)(archive), (zip_error_t *)NULL)
#define zip_file_get_error(file)                ((void)(file), (zip_error_t *)NULL)
#define zip_fopen_index(archive, at, flags)     browser_open_member(archive, (zip_uint64_t)(at))
#define zip_discard(archive)                    browser_forget(archive)
#define zip_fclose(file)                        browser_forget(file)
#define zip_stat_init(stat)                     (*(stat) = (zip_stat_t){0})
#define zip_stat_index(archive, at, flags, out) (browser_member(archive, at, out), 0)

#endif
