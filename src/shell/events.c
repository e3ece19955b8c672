#include "shell/events.h"

#include <stdlib.h>
#include <string.h>

#include "base/heap.h"
#include "base/util.h"
#include "io/file.h"

typedef struct KeyRow {
    SDL_Keycode code;
    uint32_t key;
} KeyRow;

static const KeyRow KEYS[] = {
    {SDLK_ESCAPE, KEY_ESCAPE},
    {SDLK_RETURN, KEY_ENTER},
    {SDLK_KP_ENTER, KEY_ENTER},
    {SDLK_TAB, KEY_TAB},
    {SDLK_DELETE, KEY_DELETE},
    {SDLK_BACKSPACE, KEY_BACKSPACE},
    {SDLK_LEFT, KEY_LEFT},
    {SDLK_RIGHT, KEY_RIGHT},
    {SDLK_UP, KEY_UP},
    {SDLK_DOWN, KEY_DOWN},
    {SDLK_HOME, KEY_HOME},
    {SDLK_END, KEY_END},
    {SDLK_PAGEUP, KEY_PAGE_UP},
    {SDLK_KP_PLUS, '+'},
    {SDLK_PAGEDOWN, KEY_PAGE_DOWN},
    {SDLK_INSERT, KEY_INSERT},
    {SDLK_KP_MINUS, '-'},
    {SDLK_KP_MULTIPLY, '*'},
    {SDLK_KP_DIVIDE, '/'},
    {SDLK_APPLICATION, KEY_F1 + 9}, /* the menu key acts as F10 */
};

/* Keys of the numeric keypad while NumLock is off. */
static const KeyRow KEYPAD_ARROWS[] = {
    {SDLK_KP_1, KEY_END},  {SDLK_KP_2, KEY_DOWN},    {SDLK_KP_3, KEY_PAGE_DOWN},
    {SDLK_KP_4, KEY_LEFT}, {SDLK_KP_6, KEY_RIGHT},   {SDLK_KP_7, KEY_HOME},
    {SDLK_KP_8, KEY_UP},   {SDLK_KP_9, KEY_PAGE_UP}, {SDLK_KP_PERIOD, KEY_DELETE},
};

static uint32_t find_key(const KeyRow *rows, size_t count, SDL_Keycode code) {
    for (size_t i = 0; i < count; i++)
        if (rows[i].code == code)
            return rows[i].key;
    return 0;
}

/* Return Headlight's code of a key; 0 if the key has no meaning in the program. */
static uint32_t key_of(const SDL_Keysym *keysym) {
    SDL_Keycode code = keysym->sym;
    uint32_t key = find_key(KEYS, ARRAY_COUNT(KEYS), code);
    if (key == 0 && (keysym->mod & KMOD_NUM) == 0)
        key = find_key(KEYPAD_ARROWS, ARRAY_COUNT(KEYPAD_ARROWS), code);
    if (key != 0)
        return key;
    SDL_Scancode place = keysym->scancode;
    if (place >= SDL_SCANCODE_1 && place <= SDL_SCANCODE_9)
        return (uint32_t)('1' + (place - SDL_SCANCODE_1));
    if (place >= SDL_SCANCODE_KP_1 && place <= SDL_SCANCODE_KP_9)
        return (uint32_t)('1' + (place - SDL_SCANCODE_KP_1));
    if (place == SDL_SCANCODE_0 || place == SDL_SCANCODE_KP_0)
        return '0';
    if (code >= SDLK_F1 && code <= SDLK_F12)
        return KEY_F1 + (uint32_t)(code - SDLK_F1);
    return code >= ' ' && code < SDLK_SCANCODE_MASK ? (uint32_t)code : 0;
}

/* Return the modifiers. AltGr arrives as Ctrl and Alt on some systems; it types characters, so it
 * counts as no modifier. */
static unsigned mods_of(int held) {
#if defined(__APPLE__)
    bool is_command = (held & KMOD_GUI) != 0;
    bool is_third_level = false;
#else
    bool is_third_level = (held & (KMOD_RALT | KMOD_MODE)) != 0;
    bool is_command = (held & KMOD_CTRL) != 0 && !is_third_level;
#endif
    unsigned mods = 0;
    mods |= (held & KMOD_SHIFT) != 0 ? KEY_MOD_SHIFT : 0u;
    mods |= is_command ? KEY_MOD_COMMAND : 0u;
    mods |= (held & KMOD_ALT) != 0 && !is_third_level ? KEY_MOD_ALT : 0u;
    return mods;
}

/* Queue an event with a copy of its text, which may be NULL. Return NULL if memory ran out. */
static PendingEvent *push(Events *events, InputEvent event, const char *text) {
    event.text_bytes = text != NULL ? strlen(text) : 0;
    char *copy = text != NULL ? heap_copy(text, event.text_bytes) : NULL;
    PendingEvent *queue =
        heap_grow(events->queue, &events->capacity, events->count + 1, sizeof *queue);
    events->queue = queue != NULL ? queue : events->queue;
    if (queue == NULL || (text != NULL && copy == NULL)) {
        free(copy);
        events->has_lost = true;
        return NULL;
    }
    PendingEvent *pending = &queue[events->count++];
    *pending = (PendingEvent){.event = event,
                              .text = copy,
                              .pointer_px = events->pointer_px,
                              .pointer_inside = events->pointer_inside};
    return pending;
}

static void push_move(Events *events) {
    PendingEvent *pending = push(events, (InputEvent){.kind = INPUT_KEY}, NULL);
    if (pending != NULL)
        pending->is_move = true;
}

static void move_pointer(Events *events, int x, int y) {
    events->pointer_px =
        (Vec2){(float)x * events->pixels_per_unit.x, (float)y * events->pixels_per_unit.y};
    events->pointer_inside = true;
}

static void add_composition(Events *events, const char *text, int clause_at, int clause_count) {
    if (text[0] == '\0' && !events->is_composing)
        return;
    events->is_composing = text[0] != '\0';
    push(events,
         (InputEvent){.kind = INPUT_COMPOSE, .clause_at = clause_at, .clause_count = clause_count},
         text);
}

void events_set_field(Events *events, bool has_field) {
    events->has_no_field = !has_field;
    events->is_composing &= has_field;
}

/* Move the events from index `from` on in front of the let-through events: their keys reached the
 * input method, which did not use them. */
static void move_up(Events *events, size_t from) {
    for (; from < events->count; from++) {
        PendingEvent *to = &events->queue[events->let_through++];
        PendingEvent moved = events->queue[from];
        moved.pointer_px = to->pointer_px;
        moved.pointer_inside = to->pointer_inside;
        memmove(to + 1, to, (size_t)(&events->queue[from] - to) * sizeof *to);
        *to = moved;
    }
}

/* If the let-through events include typed text, end the composition in front of them. Then forget
 * which events were let through. See add_typed. */
static void end_let_through(Events *events) {
    size_t before = events->count;
    if (events->has_let_through && events->has_let_text) {
        add_composition(events, "", 0, 0);
        move_up(events, before);
    }
    events->has_let_through = events->has_let_text = events->types_next = false;
}

/* Add typed text. In IBus, a space or Ctrl+Z ends a composition, and IBus lets this key through.
 * SDL reports the key first and the composed text after it, so the space would come before the
 * word. So the composed text is moved in front of the let-through events. */
static void add_typed(Events *events, const char *text) {
    size_t before = events->count;
    if (events->is_composing && events->types_next) {
        events->has_let_text = true;
        push(events, (InputEvent){.kind = INPUT_TEXT}, text);
        return;
    }
    add_composition(events, "", 0, 0);
    push(events, (InputEvent){.kind = INPUT_TEXT}, text);
    if (events->has_let_through)
        move_up(events, before);
    /* Later composed text belongs behind these events, so forget that they were let through. */
    events->has_let_through = events->has_let_text = false;
}

static void add_composing(Events *events, const char *text, int clause_at, int clause_count) {
    size_t before = events->count;
    add_composition(events, text, clause_at, clause_count);
    if (events->has_let_through)
        move_up(events, before);
}

static void add_button(Events *events, const SDL_MouseButtonEvent *event) {
    static const PointerButton buttons[] = {POINTER_LEFT, POINTER_MIDDLE, POINTER_RIGHT};
    bool is_down = event->type == SDL_MOUSEBUTTONDOWN;
    if (event->button < SDL_BUTTON_LEFT || event->button > SDL_BUTTON_RIGHT)
        return;
    move_pointer(events, event->x, event->y);
    push(events,
         (InputEvent){.kind = is_down ? INPUT_BUTTON_DOWN : INPUT_BUTTON_UP,
                      .button = buttons[event->button - SDL_BUTTON_LEFT],
                      .clicks = event->clicks > 0 ? (event->clicks - 1) % 3 + 1 : 1,
                      .mods = mods_of((int)SDL_GetModState())},
         NULL);
}

/* Append a slash to the path of a folder: the app does not access files, so only the slash shows
 * that the path is a folder. */
static void add_drop(Events *events, char *path) {
    char folder[FILE_PATH_BYTES];
    bool is_folder = path != NULL && file_is_folder(path) && strlen(path) + 2 <= sizeof folder;
    if (is_folder)
        snprintf(folder, sizeof folder, "%s/", path);
    if (path != NULL)
        push(events, (InputEvent){.kind = INPUT_DROP_FILE}, is_folder ? folder : path);
    SDL_free(path);
}

static void add_key(Events *events, const SDL_KeyboardEvent *event) {
    InputEvent key = {
        .kind = INPUT_KEY, .key = key_of(&event->keysym), .mods = mods_of(event->keysym.mod)};
    bool is_command = (key.mods & KEY_MOD_COMMAND) != 0;
    bool is_taken = events->is_composing && !is_command;
    /* The repeats of a held key must not answer "Press Enter again to replace it". */
    bool confirms = key.key == KEY_ENTER || (key.key == 'q' && is_command);
    bool is_held = confirms && event->repeat != 0;
    PendingEvent *pending = key.key != 0 && !is_taken && !is_held ? push(events, key, NULL) : NULL;
    if (pending != NULL)
        pending->is_repeat = event->repeat != 0;
}

static void add_any(Events *events, const SDL_Event *event) {
    unsigned held = mods_of((int)SDL_GetModState());
    float sign = event->wheel.direction == SDL_MOUSEWHEEL_FLIPPED ? -1.0f : 1.0f;
    switch (event->type) {
    case SDL_QUIT:
        push(events, (InputEvent){.kind = INPUT_QUIT}, NULL);
        break;
    case SDL_KEYDOWN:
        add_key(events, &event->key);
        break;
    case SDL_TEXTINPUT:
        add_typed(events, event->text.text);
        break;
    case SDL_TEXTEDITING:
        add_composing(events, event->edit.text, event->edit.start, event->edit.length);
        break;
    case SDL_TEXTEDITING_EXT:
        add_composing(events, event->editExt.text != NULL ? event->editExt.text : "",
                      event->editExt.start, event->editExt.length);
        SDL_free(event->editExt.text);
        break;
    case SDL_MOUSEMOTION:
        move_pointer(events, event->motion.x, event->motion.y);
        push_move(events);
        break;
    case SDL_MOUSEBUTTONDOWN:
    case SDL_MOUSEBUTTONUP:
        add_button(events, &event->button);
        break;
    case SDL_MOUSEWHEEL:
        push(events,
             (InputEvent){.kind = INPUT_WHEEL,
                          .wheel = {sign * event->wheel.preciseX, sign * event->wheel.preciseY},
                          .mods = held},
             NULL);
        break;
    case SDL_DROPFILE:
        add_drop(events, event->drop.file);
        break;
    case SDL_WINDOWEVENT:
        if (event->window.event == SDL_WINDOWEVENT_FOCUS_LOST)
            /* The input method may not report the end of a composition. */
            add_composition(events, "", 0, 0);
        if (event->window.event == SDL_WINDOWEVENT_LEAVE) {
            events->pointer_inside = false;
            push_move(events);
        }
        break;
    }
}

void events_add(Events *events, const SDL_Event *event) {
    bool is_key = event->type == SDL_KEYDOWN;
    if (is_key && !events->is_composing)
        end_let_through(events);
    if (is_key && events->is_composing && !events->has_let_through) {
        events->has_let_through = true;
        events->let_through = events->count;
    }
    add_any(events, event);
    uint32_t key = is_key ? key_of(&event->key.keysym) : 0;
    events->types_next =
        key != 0 && key < KEY_ESCAPE && (mods_of(event->key.keysym.mod) & KEY_MOD_COMMAND) == 0;
}

void events_add_paste(Events *events, char *text) {
    if (text == NULL)
        return;
    size_t before = events->count;
    const PendingEvent *pushed = push(events, (InputEvent){.kind = INPUT_PASTE}, text);
    SDL_free(text);
    if (pushed == NULL)
        return;
    PendingEvent paste = *pushed;
    paste.pointer_px = events->taken_px;
    paste.pointer_inside = events->taken_inside;
    memmove(events->queue + 1, events->queue, before * sizeof *events->queue);
    events->queue[0] = paste;
}

static void free_batch(Events *events) {
    for (int i = 0; i < events->batch_count; i++)
        free(events->batch_texts[i]);
    events->batch_count = 0;
}

/* True if an event must be the last one of its frame. Text after a key that may move the focus
 * belongs to the new focus. A frame has at most one press or release of a button. */
static bool ends_frame(const InputEvent *event) {
    bool moves_focus = event->kind == INPUT_KEY &&
                       ((event->mods & KEY_MOD_COMMAND) != 0 || event->key == KEY_TAB ||
                        event->key == KEY_ENTER || event->key == KEY_ESCAPE);
    return moves_focus || event->kind == INPUT_BUTTON_DOWN || event->kind == INPUT_BUTTON_UP;
}

int events_expect_text(void *context, SDL_Event *event) {
    Events *events = context;
    InputEvent input = {.kind = INPUT_KEY};
    if (event->type == SDL_KEYDOWN) {
        input.key = key_of(&event->key.keysym);
        input.mods = mods_of(event->key.keysym.mod);
    } else if (event->type == SDL_MOUSEBUTTONDOWN) {
        input.kind = INPUT_BUTTON_DOWN;
    } else {
        return 0; /* perhaps the event of a job, from the job's thread */
    }
    bool follows_key = input.key != 0 && events->key_waits;
    if ((ends_frame(&input) || follows_key) && !SDL_IsTextInputActive())
        SDL_StartTextInput();
    events->key_waits |= input.key != 0;
    return 0;
}

bool events_take(Events *events, Input *input) {
    free_batch(events);
    end_let_through(events);
    size_t taken = 0;
    bool ends = false, wheeled = false, has_key = false;
    while (taken < events->count && events->batch_count < EVENTS_BATCH && !ends) {
        const PendingEvent *pending = &events->queue[taken];
        if (pending->is_move && wheeled)
            break;
        InputKind kind = pending->event.kind;
        bool is_key = kind == INPUT_KEY && !pending->is_move;
        /* The key before may open a dialog, in which a command has another effect, or a text
         * field. */
        if (has_key && is_key &&
            ((pending->event.mods & KEY_MOD_COMMAND) != 0 ||
             (events->has_no_field && !pending->is_repeat)))
            break;
        has_key |= is_key;
        events->taken_px = pending->pointer_px;
        events->taken_inside = pending->pointer_inside;
        if (!pending->is_move) {
            int i = events->batch_count++;
            events->batch[i] = pending->event;
            events->batch[i].text = pending->text;
            events->batch_texts[i] = pending->text;
            ends = ends_frame(&pending->event);
            wheeled |= kind == INPUT_WHEEL;
        }
        taken++;
    }
    events->count -= taken;
    events->key_waits &= events->count > 0;
    if (taken > 0)
        memmove(events->queue, events->queue + taken, events->count * sizeof *events->queue);
    input->events = events->batch;
    input->event_count = events->batch_count;
    input->pointer_px = events->taken_px;
    input->pointer_inside = events->taken_inside;
    input->mods = mods_of((int)SDL_GetModState());
    return taken > 0;
}

void events_release(Events *events) {
    free_batch(events);
    for (size_t i = 0; i < events->count; i++)
        free(events->queue[i].text);
    free(events->queue);
    *events = (Events){0};
}
