/* zip.h: the functions of libzip that io/weights_npz.c and weights_source.c call. The page cannot
 * open archives: zip_fdopen fails with a message, and the other functions are never called. */
#ifndef HEADLIGHT_WEB_ZIP_H
#define HEADLIGHT_WEB_ZIP_H

#include <stddef.h>
#include <stdint.h>

typedef struct zip zip_t;
typedef struct zip_file zip_file_t;
typedef int zip_error_t;
typedef int64_t zip_int64_t;
typedef uint64_t zip_uint64_t;
typedef struct zip_stat_t {
    zip_uint64_t valid, index, size, comp_size;
    int comp_method, encryption_method;
} zip_stat_t;

enum { ZIP_ER_OPEN, ZIP_ER_MEMORY, ZIP_ER_EXISTS, ZIP_RDONLY = 16, ZIP_CHECKCONS = 4 };
enum { ZIP_EM_NONE, ZIP_CM_STORE = 0, ZIP_CM_DEFLATE = 8 };

#define zip_fdopen(fd, flags, code) ((void)(fd), (void)(code), (zip_t *)NULL)
#define zip_error_strerror(error)                                                                  \
    ((void)(error), "the page reads no archives; save the tensors as .safetensors")
#define zip_error_code_zip(error)               (*(error))
#define zip_error_init_with_code(error, code)   (*(error) = (code))
#define zip_error_fini(error)                   ((void)(error))
#define zip_discard(archive)                    ((void)(archive))
#define zip_get_error(archive)                  ((void)(archive), (zip_error_t *)NULL)
#define zip_file_get_error(file)                ((void)(file), (zip_error_t *)NULL)
#define zip_fopen_index(archive, i, flags)      ((void)(archive), (void)(i), (zip_file_t *)NULL)
#define zip_fread(file, out, size)              ((void)(file), (void)(out), (zip_int64_t)-1)
#define zip_fclose(file)                        ((void)(file))
#define zip_name_locate(archive, name, flags)   ((void)(archive), (void)(name), (zip_int64_t)-1)
#define zip_stat_init(stat)                     (*(stat) = (zip_stat_t){0})
#define zip_stat_index(archive, i, flags, stat) ((void)(archive), (void)(stat), -1)

#endif
