/* run.c: runs the program with one call of the C library failing, again and again (inject.c).
 * Each run must end by itself with status 0 or 1, or by the signal that it was sent. After 0 the
 * output is whole; after 1 the older file is unchanged, and one line on standard error says why.
 * No part file is ever left.
 * usage: run PROGRAM INJECTOR MOST [WORD]: at most MOST places of each kind, 0 for a quick sample;
 * the calls that contain WORD alone. Prints TAP. */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define ARRAY_COUNT(array) (sizeof(array) / sizeof *(array))
#define WORDS_MAX          24
#define SAMPLE             8 /* step between the kinds of faults in a sample */
#define SECONDS_MAX        30
#define NS_PER_S           1000000000LL
#define OLD                "an older file\n"
#define LIBRARIES          "libzip,libjansson,libpng,libc."
#define WINDOW             "window" /* window.c, in the injector's folder */

/* A command, which writes the file after -o, or standard output. */
typedef struct Call {
    const char *words;
    const char *libraries; /* whose calls fail, too; NULL for LIBRARIES */
    const char *beside;    /* another file that it writes, or NULL */
} Call;

static const Call CALLS[] = {
    {.words = "--version"},
    {.words = "render --help"},
    {.words = "list schemes"},
    {.words = "list masks --json"},
    {.words = "export -o out.safetensors --grad --bias all"},
    {.words = "export -o out.npz --text-file text.txt --tokenizer gpt2"},
    {.words = "export -o out.json --form rank:2 --d-model 16 --heads 2"},
    {.words = "export -o out.json --weights given.npz"},
    {.words = "export -o out.json --weights given.safetensors"},
    {.words = "export -o - --format json --state heads=2&mask=causal"},
    {.words = "compare -o out.json --seeds 2 --schemes zeros,gpt2 --threads 1"},
    {.words = "compare -o out.csv --seeds 2 --schemes orthogonal --threads 2"},
    {.words = "train -o out.safetensors --train-steps 3 --d-model 8 --heads 2"},
    {.words = "train -o out.csv --train-steps 3 --d-model 8 --heads 2 --form merged"},
    {.words = "bench forward --tokens 2 --d-model 4 --heads 1 --json"},
    {.words = "render -o out.png --size 400x280", .libraries = "libpng"},
    {.words = "render -o out.svg --size 400x280 --view compare", .libraries = "libpng"},
    {.words = "render -o out.png --size 400x280 --view graph", .libraries = "libpng"},
    {.words = "render -o out.svg --size 400x280 --view wqk --form merged", .libraries = "libpng"},
    {.words = "render -o out.png --size 400x280 --view steps --d-model 4 --heads 1",
     .libraries = "libpng"},
    {.words = "render -o out.svg --size 400x280 --view train --d-model 4 --heads 1 --train-steps 2",
     .libraries = "libpng"},
    {.words = "render -o out.png --size 400x280", .libraries = "libharfbuzz,libfreetype,libSDL2"},
    {.words = "render -o out.pdf --size 400x280", .libraries = "libcairo,libharfbuzz,libfreetype"},
    {.words = "record first -o out.pdf --size 400x280", .libraries = "libcairo"},
    {.words = "export -o out.py --d-model 16 --heads 2",
     .libraries = "libjansson",
     .beside = "out.safetensors"},
    {.words = "record -o out.gif --size 400x280 --to heads=2 --seconds 0.3", .libraries = "libpng"},
    {.words = "record short.tour -o out.y4m --size 400x280 --captions srt",
     .libraries = "libpng",
     .beside = "out.srt"},
    {.words = WINDOW, .libraries = "libzip,libjansson,libpng"},
};

typedef struct Fault {
    const char *call;
    int error; /* the same constant as in inject.c */
    bool ever; /* also for every call after it */
} Fault;

static const Fault FAULTS[] = {
    {"alloc", ENOMEM, false}, {"alloc", ENOMEM, true},  {"open", EMFILE, false},
    {"open", EMFILE, true},   {"open", EIO, false},     {"open", -1, false},
    {"read", EIO, false},     {"read", EIO, true},      {"read", EINTR, false},
    {"read", 0, false},       {"read", 0, true},        {"write", ENOSPC, false},
    {"write", ENOSPC, true},  {"write", EIO, false},    {"write", EINTR, false},
    {"write", 0, false},      {"write", 0, true},       {"write", -1, false},
    {"sync", EIO, false},     {"sync", EIO, true},      {"sync", EINTR, false},
    {"rename", EIO, false},   {"rename", ENOSPC, true}, {"rename", -1, false},
    {"close", EIO, false},    {"close", EIO, true},     {"close", EINTR, false},
    {"map", ENOMEM, false},   {"map", ENOMEM, true},    {"seek", EIO, false},
};

static char program[PATH_MAX], window[PATH_MAX], injector[PATH_MAX],
    folder[] = "/tmp/headlight-faults-XXXXXX";
static int runs, calls, failures;

static void put(const char *path, const char *text) {
    FILE *file = fopen(path, "w");
    if (file == NULL || fputs(text, file) == EOF || fclose(file) != 0) {
        perror(path);
        exit(1);
    }
}

/* The whole file, with a NUL behind it, that the caller frees; "" if it does not exist. */
static char *get(const char *path, size_t *size) {
    FILE *file = fopen(path, "r");
    char *bytes = NULL;
    size_t room = 0;
    *size = 0;
    do {
        room = room == 0 ? 4096 : room * 2;
        bytes = realloc(bytes, room);
        if (bytes == NULL)
            exit(1);
        *size += file != NULL ? fread(bytes + *size, 1, room - *size - 1, file) : 0;
    } while (*size == room - 1);
    bytes[*size] = '\0';
    if (file != NULL)
        fclose(file);
    return bytes;
}

/* The file that the call writes, or "stdout"; valid until the next call. */
static const char *output_of(const Call *call) {
    static char name[64];
    const char *at = strstr(call->words, " -o ");
    return at == NULL || sscanf(at + 4, "%63s", name) != 1 || name[0] == '-' ? "stdout" : name;
}

static void set_number(const char *name, long value) {
    char text[32];
    snprintf(text, sizeof text, "%ld", value);
    setenv(name, text, 1);
}

/* In the child: run the call with the fault, which may be NULL to count calls of that kind. */
static void become(const Call *call, const Fault *fault, long at, const char *count) {
    bool is_window = strcmp(call->words, WINDOW) == 0;
    char words[512], *word[WORDS_MAX + 2] = {is_window ? window : program};
    int used = !is_window;
    snprintf(words, sizeof words, "%s", call->words);
    for (char *next = strtok(words, " "); next != NULL && used <= WORDS_MAX;
         next = strtok(NULL, " "))
        word[used++] = next;
    if (fault != NULL) {
        setenv("LD_PRELOAD", injector, 1);
        setenv("FAULT_CALL", fault->call, 1);
        setenv("FAULT_IN", call->libraries != NULL ? call->libraries : LIBRARIES, 1);
        set_number("FAULT_AT", at);
        set_number("FAULT_EVER", fault->ever);
        set_number("FAULT_ERROR", fault->error);
    }
    if (count != NULL)
        setenv("FAULT_COUNT", count, 1);
    bool redirected = freopen("/dev/null", "r", stdin) != NULL &&
                      freopen("stdout", "w", stdout) != NULL &&
                      freopen("stderr", "w", stderr) != NULL;
    if (redirected)
        execv(is_window ? window : program, word);
    _exit(127);
}

/* The exit status, 128 and more for a signal, -1 for a hang. */
static int run(const Call *call, const Fault *fault, long at, const char *count) {
    fflush(NULL);
    pid_t child = fork();
    int status;
    if (child == 0)
        become(call, fault, at, count);
    for (long long waited = 0;; waited += NS_PER_S / 1000) {
        if (waitpid(child, &status, WNOHANG) == child)
            return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
        if (waited > SECONDS_MAX * NS_PER_S)
            kill(child, SIGKILL);
        nanosleep(&(struct timespec){.tv_nsec = NS_PER_S / 1000}, NULL);
    }
}

static bool has_part(void) {
    DIR *dir = opendir(".");
    bool found = false;
    for (struct dirent *entry; dir != NULL && (entry = readdir(dir)) != NULL;)
        found = found || strstr(entry->d_name, ".part") != NULL;
    if (dir != NULL)
        closedir(dir);
    return found;
}

static bool is_file(const char *path, const char *bytes, size_t size) {
    size_t found;
    char *is = get(path, &found);
    bool same = found == size && memcmp(is, bytes, size) == 0;
    free(is);
    return same;
}

/* Return the fault of a run with this status, or NULL. */
static const char *wrong(const Call *call, const Fault *fault, int status, const char *whole,
                         size_t size) {
    const char *output = output_of(call);
    bool is_stdout = strcmp(output, "stdout") == 0;
    size_t said_size;
    char *said = get("stderr", &said_size), *end = strchr(said, '\n');
    bool one_line = strncmp(said, "headlight: ", 11) == 0 && end != NULL && end[1] == '\0';
    free(said);
    if (has_part())
        return "a part file is left";
    if (fault->error == -1 && status == 128 + SIGTERM)
        return is_file(output, OLD, strlen(OLD)) || is_file(output, whole, size) || is_stdout
                   ? NULL
                   : "a file that is neither old nor whole";
    if (status != 0 && status != 1)
        return "a signal, a hang or another status";
    if (status == 0 && said_size != 0)
        return "success, and a message";
    if (status == 1 && !one_line)
        return "failure without one line that says why";
    if (status == 1 && call->beside != NULL && !is_file(call->beside, OLD, strlen(OLD)))
        return "the other older file is lost";
    if (status == 1 && !is_stdout)
        return is_file(output, OLD, strlen(OLD)) ? NULL : "the older file is lost";
    bool is_timed = strncmp(call->words, "bench", 5) == 0;
    return status == 1 || is_timed || is_file(output, whole, size) ? NULL
                                                                   : "success, and another output";
}

static void remove_parts(void) {
    DIR *dir = opendir(".");
    for (struct dirent *entry; dir != NULL && (entry = readdir(dir)) != NULL;)
        if (strstr(entry->d_name, ".part") != NULL)
            unlink(entry->d_name);
    if (dir != NULL)
        closedir(dir);
}

static bool check_at(const Call *call, const Fault *fault, long at, const char *whole,
                     size_t size) {
    put(output_of(call), OLD);
    if (call->beside != NULL)
        put(call->beside, OLD);
    int status = run(call, fault, at, NULL);
    const char *why = wrong(call, fault, status, whole, size);
    runs++;
    if (why == NULL)
        return true;
    size_t said_size;
    char *said = get("stderr", &said_size);
    printf("# %s: %s %ld%s fails with %d: status %d, %s: %.200s\n", call->words, fault->call, at,
           fault->ever ? " and on" : "", fault->error, status, why, said);
    free(said);
    remove_parts();
    return false;
}

/* Some of the first places of some of the kinds, without counting them. */
static void check_sample(const Call *call, size_t number, const char *whole, size_t size) {
    for (size_t i = number % SAMPLE; i < ARRAY_COUNT(FAULTS); i += SAMPLE)
        failures += !check_at(call, &FAULTS[i], 1 + (long)((i + number) % 4), whole, size);
}

/* Inject the fault at no more than `most` places, spread from the first to the last. */
static void check_fault(const Call *call, const Fault *fault, const char *whole, size_t size,
                        long most) {
    size_t bytes;
    run(call, fault, 0, "count");
    char *text = get("count", &bytes);
    long count = atol(text), tried = count < most ? count : most;
    bool sound = true;
    free(text);
    for (long i = 0; i < tried; i++)
        sound &=
            check_at(call, fault, tried > 1 ? 1 + i * (count - 1) / (tried - 1) : 1, whole, size);
    failures += !sound;
}

static void check_call(size_t number, long most) {
    const Call *call = &CALLS[number];
    size_t size = 0;
    int before = failures, status = run(call, NULL, 0, NULL);
    char *whole = get(output_of(call), &size);
    if (status != 0)
        failures++;
    if (most == 0 && status == 0)
        check_sample(call, number, whole, size);
    for (size_t i = 0; i < ARRAY_COUNT(FAULTS) && most > 0 && status == 0; i++)
        if (call->beside == NULL ||
            strcmp(FAULTS[i].call, "rename") != 0) /* no system renames two */
            check_fault(call, &FAULTS[i], whole, size, most);
    free(whole);
    printf("%s %d - %s\n", failures == before ? "ok" : "not ok", ++calls, call->words);
}

static void prepare(void) {
    static const Call given[] = {{.words = "export -o given.npz --text a"},
                                 {.words = "export -o given.safetensors --text a"}};
    put("text.txt", "one text in a file\n");
    put("short.tour", "title = T\n== a: A\nstate = text=a\ncaption = One\nhold = 0.1\n");
    for (size_t i = 0; i < ARRAY_COUNT(given); i++)
        if (run(&given[i], NULL, 0, NULL) != 0)
            exit(1);
}

int main(int argc, char **argv) {
    long most = argc > 3 ? atol(argv[3]) : -1;
    if (most < 0 || realpath(argv[1], program) == NULL || realpath(argv[2], injector) == NULL ||
        mkdtemp(folder) == NULL || chdir(folder) != 0) {
        fprintf(stderr, "usage: run PROGRAM INJECTOR MOST [WORD]\n");
        return 1;
    }
    setenv("HOME", folder, 1);
    snprintf(window, sizeof window, "%.*s" WINDOW, (int)(strrchr(injector, '/') + 1 - injector),
             injector);
    prepare();
    for (size_t i = 0; i < ARRAY_COUNT(CALLS); i++)
        if (argc < 5 || strstr(CALLS[i].words, argv[4]) != NULL)
            check_call(i, most);
    printf("# %d runs\n1..%d\n", runs, calls);
    char command[64];
    snprintf(command, sizeof command, "rm -rf %s", folder);
    return system(command) == 0 && failures == 0 ? 0 : 1;
}
