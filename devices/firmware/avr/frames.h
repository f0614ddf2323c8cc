/* Cuts the received bytes into frames and checks them; makes the bytes of answers. Knows no hardware. */
#ifndef FRAMES_H
#define FRAMES_H

#include <stdint.h>

#define PAYLOAD_MOST 250
#define BODY_MOST (2 + PAYLOAD_MOST + 2) /* kind, number, payload, checksum */

struct frames {
    uint8_t body[BODY_MOST]; /* kind, number, payload, checksum, as far as received */
    uint8_t length;
    uint8_t done;  /* length of the frame that FRAME_GOOD announced, with its checksum */
    uint8_t block; /* COBS: length byte of the running block */
    uint8_t left;  /* bytes of it that are still to come */
    uint8_t has_begun;
    uint8_t is_too_long;
    uint16_t crc; /* over everything received: 0 after the checksum of a sound frame */
};

enum frame_state { FRAME_RUNS, FRAME_GOOD, FRAME_DAMAGED, FRAME_TOO_LONG };

void frames_begin(struct frames *f);

/* Takes one byte. FRAME_GOOD: body[0 .. done - 3] is the frame, until the next call. */
enum frame_state frames_take(struct frames *f, uint8_t byte);

uint16_t crc_of(uint16_t crc, uint8_t byte);

/* Gives the encoded bytes of kind, number and payload one by one to `put`, with the closing 0. */
void frames_send(uint8_t kind, uint8_t number, const uint8_t *payload, uint8_t length, void (*put)(uint8_t));

#endif
