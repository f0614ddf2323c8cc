/* Feeds the standard input to the board's parser and commands on this computer; prints how many HELLOs numbered 42
 * were answered. A test program, built with the sanitizers. */
#include <stdio.h>
#include <stdlib.h>

#include "board.h"
#include "frames.h"

static unsigned long greeted;
static unsigned place;

void hardware_send(uint8_t byte)
{
    static uint8_t last[4];
    last[place++ % 4] = byte;
    if (byte == 0)
        place = 0;
    else if (place == 3 && last[1] == 0x80 && last[2] == 42)
        greeted++;
}

void hardware_strip(const uint8_t *green_red_blue, uint16_t bytes)
{
    unsigned long sum = 0;
    for (uint16_t i = 0; i < bytes; i++)
        sum += green_red_blue[i];
    if (sum * CHANNEL_MA / 255 + LEDS * IDLE_MA > LIMIT_MA)
        abort();
}

void hardware_tune(const struct tone *tones, uint8_t count)
{
    volatile unsigned sum = 0;
    if (count > TONES_MOST)
        abort();
    for (uint8_t i = 0; i < count; i++)
        sum += tones[i].hz + tones[i].ms;
}

uint16_t hardware_uptime_ms(void)
{
    return 4711;
}

int main(void)
{
    struct frames f;
    int byte;

    frames_begin(&f);
    board_rest();
    while ((byte = getchar()) != EOF) {
        switch (frames_take(&f, (uint8_t)byte)) {
        case FRAME_GOOD:
            board_obey(f.body[0], f.body[1], f.body + 2, f.done - 4);
            break;
        case FRAME_DAMAGED:
            board_refuse_damaged();
            break;
        case FRAME_TOO_LONG:
            board_refuse_too_long();
            break;
        case FRAME_RUNS:
            break;
        }
    }
    printf("%lu\n", greeted);
    return 0;
}
