#include "board.h"

#include <string.h>

#include "frames.h"

#define KIND_AVR 1

enum command {
    HELLO = 0x01,
    PING = 0x02,
    READY = 0x03,
    PIXELS = 0x10,
    FILL = 0x11,
    SHOW = 0x12,
    RUNS = 0x13,
    TONE = 0x20,
    OFF = 0x30,
    ACK = 0x80,
    NAK = 0x81
};

enum refusal { DONE = 0, DAMAGED = 1, UNKNOWN = 2, LENGTH = 3, OVERRUN = 4 };

#define SHOW_NOW 1

static uint8_t picture[3 * LEDS]; /* as asked for: green, red, blue of each LED */
static uint8_t shown[3 * LEDS];   /* as the current allows */

static uint8_t last_number; /* of the last frame that was obeyed, so that its repetition is not obeyed again */
static uint8_t has_last;

static void answer(uint8_t kind, uint8_t number, const uint8_t *payload, uint8_t length)
{
    frames_send(kind, number, payload, length, hardware_send);
}

static void refuse(uint8_t number, uint8_t why)
{
    answer(NAK, number, &why, 1);
}

void board_refuse_damaged(void)
{
    refuse(0, DAMAGED);
}

void board_refuse_too_long(void)
{
    refuse(0, LENGTH);
}

void board_refuse_overrun(void)
{
    refuse(0, OVERRUN);
}

static void greet(uint8_t kind, uint8_t number)
{
    static const uint8_t greeting[] = {
        DONE, PROTOCOL, KIND_AVR, LEDS >> 8, LEDS & 0xff, LIMIT_MA >> 8, LIMIT_MA & 0xff, PAYLOAD_MOST,
        'd', 'e', 's', 'k', 'r', 'e', 'f',
    };
    answer(kind, number, greeting, sizeof greeting);
}

void board_say_ready(void)
{
    greet(READY, 0);
}

/* Shows the picture, dimmed where it would take more than the limit. */
static void show(void)
{
    const uint32_t most = (uint32_t)(LIMIT_MA - LEDS * IDLE_MA) * 255 / CHANNEL_MA;
    uint32_t sum = 0;

    for (uint16_t i = 0; i < sizeof picture; i++)
        sum += picture[i];
    if (sum <= most) {
        hardware_strip(picture, sizeof picture);
        return;
    }
    uint16_t share = (uint16_t)((most << 16) / sum); /* of 65536; below it, since sum > most */
    for (uint16_t i = 0; i < sizeof picture; i++)
        shown[i] = (uint8_t)(((uint32_t)picture[i] * share) >> 16);
    hardware_strip(shown, sizeof shown);
}

void board_rest(void)
{
    memset(picture, 0, sizeof picture);
    hardware_tune(0, 0);
    show();
}

static uint16_t word(const uint8_t *at)
{
    return (uint16_t)((uint16_t)at[0] << 8 | at[1]);
}

/* Sets LEDs to a colour; those beyond the strip are left out. Gives the LED after them. */
static uint16_t fill(uint16_t first, uint16_t count, const uint8_t *red_green_blue)
{
    uint16_t led = first;

    if (first >= LEDS)
        return first;
    if (count > LEDS - first)
        count = LEDS - first;
    uint8_t *at = picture + 3 * first;
    uint8_t red = red_green_blue[0], green = red_green_blue[1], blue = red_green_blue[2];
    for (; count > 0; count--, led++) {
        *at++ = green;
        *at++ = red;
        *at++ = blue;
    }
    return led;
}

static uint8_t has_form(uint8_t kind, uint8_t length)
{
    switch (kind) {
    case HELLO:
    case PING:
    case SHOW:
    case OFF:
        return length == 0;
    case PIXELS:
        return length >= 3 && (length - 3) % 3 == 0;
    case RUNS:
        return length >= 3 && (length - 3) % 4 == 0;
    case FILL:
        return length == 8;
    case TONE:
        return length <= 4 * TONES_MOST && length % 4 == 0;
    }
    return 0;
}

static uint8_t is_known(uint8_t kind)
{
    return kind == HELLO || kind == PING || kind == PIXELS || kind == FILL || kind == SHOW || kind == RUNS ||
           kind == TONE || kind == OFF;
}

void board_obey(uint8_t kind, uint8_t number, const uint8_t *payload, uint8_t length)
{
    static const uint8_t done = DONE;
    struct tone tones[TONES_MOST];
    uint8_t count = 0;
    uint16_t led;

    if (!is_known(kind)) {
        refuse(number, UNKNOWN);
        return;
    }
    if (!has_form(kind, length)) {
        refuse(number, LENGTH);
        return;
    }
    if (kind == HELLO) {
        has_last = 0;
        greet(ACK, number);
        return;
    }
    if (kind == PING) {
        uint16_t ms = hardware_uptime_ms();
        uint8_t payload_out[3] = {DONE, (uint8_t)(ms >> 8), (uint8_t)ms};
        answer(ACK, number, payload_out, sizeof payload_out);
        return;
    }
    if (has_last && number == last_number) { /* its answer was lost: say it again, but do not begin a tune again */
        answer(ACK, number, &done, 1);
        return;
    }
    switch (kind) {
    case PIXELS:
        led = word(payload + 1);
        for (uint8_t at = 3; at < length && led < LEDS; at += 3)
            led = fill(led, 1, payload + at);
        break;
    case RUNS:
        led = word(payload + 1);
        for (uint8_t at = 3; at < length && led < LEDS; at += 4)
            led = fill(led, payload[at], payload + at + 1);
        break;
    case FILL:
        fill(word(payload + 1), word(payload + 3), payload + 5);
        break;
    case TONE:
        for (uint8_t at = 0; at < length; at += 4, count++)
            tones[count] = (struct tone){word(payload + at), word(payload + at + 2)};
        hardware_tune(tones, count);
        break;
    case OFF:
        board_rest();
        break;
    }
    if (kind == SHOW || ((kind == PIXELS || kind == RUNS || kind == FILL) && (payload[0] & SHOW_NOW)))
        show();
    last_number = number;
    has_last = 1;
    answer(ACK, number, &done, 1); /* only now: while the strip is clocked out nothing can be received */
}
