#include "frames.h"

/* CCITT, polynomial 1021, high byte first: a shift and five exclusive ors for each byte instead of eight rounds. */
uint16_t crc_of(uint16_t crc, uint8_t byte)
{
    crc = (uint16_t)((crc >> 8) | (crc << 8));
    crc ^= byte;
    crc ^= (crc & 0xff) >> 4;
    crc ^= (uint16_t)(crc << 12);
    crc ^= (uint16_t)((crc & 0xff) << 5);
    return crc;
}

void frames_begin(struct frames *f)
{
    f->length = 0;
    f->block = 255;
    f->left = 0;
    f->has_begun = 0;
    f->is_too_long = 0;
    f->crc = 0xffff;
}

static void keep(struct frames *f, uint8_t byte)
{
    f->crc = crc_of(f->crc, byte);
    if (f->length < BODY_MOST)
        f->body[f->length++] = byte;
    else
        f->is_too_long = 1;
}

enum frame_state frames_take(struct frames *f, uint8_t byte)
{
    enum frame_state state = FRAME_RUNS;

    if (byte != 0) {
        if (f->left == 0) { /* a block begins; the last one stood for a 0, unless it was full */
            if (f->block != 255)
                keep(f, 0);
            f->block = byte;
            f->left = byte - 1;
            f->has_begun = 1;
        } else {
            keep(f, byte);
            f->left--;
        }
        return FRAME_RUNS;
    }
    if (f->has_begun) {
        if (f->is_too_long)
            state = FRAME_TOO_LONG;
        else if (f->left != 0 || f->length < 4 || f->crc != 0)
            state = FRAME_DAMAGED;
        else
            state = FRAME_GOOD;
    }
    f->done = f->length;
    frames_begin(f); /* leaves the body alone */
    return state;
}

void frames_send(uint8_t kind, uint8_t number, const uint8_t *payload, uint8_t length, void (*put)(uint8_t))
{
    uint8_t body[2 + 32 + 2]; /* answers are short */
    uint8_t n = 0;
    uint16_t crc = 0xffff;

    if (length > 32)
        length = 32;
    body[n++] = kind;
    body[n++] = number;
    for (uint8_t i = 0; i < length; i++)
        body[n++] = payload[i];
    for (uint8_t i = 0; i < n; i++)
        crc = crc_of(crc, body[i]);
    body[n++] = crc >> 8;
    body[n++] = crc & 0xff;

    for (uint8_t start = 0; start <= n; ) {
        uint8_t end = start;
        while (end < n && body[end] != 0)
            end++;
        put(end - start + 1);
        for (uint8_t i = start; i < end; i++)
            put(body[i]);
        start = end + 1;
    }
    put(0);
}
