/* control.h: characters that control a terminal instead of being shown. Pure. */
#ifndef HEADLIGHT_BASE_CONTROL_H
#define HEADLIGHT_BASE_CONTROL_H

#include <stdbool.h>
#include <stdint.h>

/* True for C0, DEL and C1. */
static inline bool is_control(uint32_t code_point) {
    return code_point < 0x20 || (code_point >= 0x7F && code_point < 0xA0);
}

#endif
