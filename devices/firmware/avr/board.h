/* What the board does with a sound frame, and what it needs of the hardware to do it. */
#ifndef BOARD_H
#define BOARD_H

#include <stdint.h>

#ifndef LEDS
#define LEDS 48
#endif
#if LEDS < 1 || LEDS > 200
#error "the memory of an ATmega328P holds a strip of 1 to 200 LEDs"
#endif

#ifndef LIMIT_MA
#define LIMIT_MA 400 /* a USB port gives 500 mA; the board itself takes about 50 */
#endif
#define CHANNEL_MA 20 /* of one colour of one LED at 255 */
#define IDLE_MA 1     /* of one dark LED */
#if LIMIT_MA < LEDS * IDLE_MA + 50
#error "the limit leaves no light for so many LEDs: use a supply of their own and a higher LIMIT_MA"
#endif

#define PROTOCOL 1
#define TONES_MOST 8

struct tone {
    uint16_t hz; /* 0 is a pause */
    uint16_t ms;
};

/* Obeys one sound frame and answers it. */
void board_obey(uint8_t kind, uint8_t number, const uint8_t *payload, uint8_t length);

/* Answers what could not be read. */
void board_refuse_damaged(void);
void board_refuse_too_long(void);
void board_refuse_overrun(void);

/* Says READY, once after a reset. */
void board_say_ready(void);

/* Dark and silent: at the start, on OFF, and when nobody has spoken for three seconds. */
void board_rest(void);

/* The hardware gives these. */
void hardware_send(uint8_t byte);
void hardware_strip(const uint8_t *green_red_blue, uint16_t bytes);
void hardware_tune(const struct tone *tones, uint8_t count);
uint16_t hardware_uptime_ms(void);

#endif
