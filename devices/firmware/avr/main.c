/* The light and sound board on an Arduino Uno or Nano (ATmega328P, 16 MHz): serial port, strip, buzzer, clock.
 *
 * Strip: data on D6 (PD6), WS2812 or SK6812. Buzzer: D9 (PB1), a passive piezo. Serial: USB, 115200 baud, 8N1.
 */
#include <avr/interrupt.h>
#include <avr/io.h>
#include <avr/sleep.h>
#include <avr/wdt.h>

#include "board.h"
#include "frames.h"

#if F_CPU != 16000000UL
#error "the strip's timing is counted in cycles of 16 MHz"
#endif

#define STRIP_BIT PD6
#define BUZZER_BIT PB1 /* OC1A: timer 1 toggles it without the processor */

#define WAIT_TICKS 46875UL /* 3 s without a sound frame: go dark */
#define TICK_US 64

/* ---- serial port ---- */

#define RING 128 /* received bytes that wait: 11 ms */

static volatile uint8_t ring[RING];
static volatile uint8_t ring_head;
static uint8_t ring_tail;
static volatile uint8_t has_overrun;

ISR(USART_RX_vect)
{
    uint8_t status = UCSR0A;
    uint8_t byte = UDR0;
    uint8_t next = (ring_head + 1) % RING;

    if (status & _BV(DOR0))
        has_overrun = 1;
    if (next == ring_tail) {
        has_overrun = 1;
        return;
    }
    ring[ring_head] = byte;
    ring_head = next;
}

void hardware_send(uint8_t byte)
{
    while (!(UCSR0A & _BV(UDRE0)))
        ;
    UDR0 = byte;
}

static void serial_begin(void)
{
    UCSR0A = _BV(U2X0);
    UBRR0 = 16; /* 117647 baud: 2.1 % above 115200, as every Uno has it */
    UCSR0C = _BV(UCSZ01) | _BV(UCSZ00);
    UCSR0B = _BV(RXEN0) | _BV(TXEN0) | _BV(RXCIE0);
}

/* ---- clock: timer 2 runs freely in ticks of 64 us and is read before it comes round, so that no tick is lost while
 * interrupts are off; its compare interrupt only ends the sleep, each 1.024 ms ---- */

static uint32_t now_ticks;
static uint8_t last_count;

ISR(TIMER2_COMPA_vect)
{
    OCR2A = TCNT2 + 16;
}

static void clock_begin(void)
{
    TCCR2B = _BV(CS22) | _BV(CS21) | _BV(CS20);
    OCR2A = 16;
    TIMSK2 = _BV(OCIE2A);
}

static void clock_step(void)
{
    uint8_t count = TCNT2;
    now_ticks += (uint8_t)(count - last_count);
    last_count = count;
}

uint16_t hardware_uptime_ms(void)
{
    return (uint16_t)(now_ticks / 125 * 8); /* 125 ticks are 8 ms */
}

/* ---- buzzer ---- */

static struct tone tune[TONES_MOST];
static uint8_t tune_count, tune_at;
static uint32_t tone_began, tone_ticks;

static void pitch(uint16_t hz)
{
    if (hz < 16 || hz > 20000) {
        TCCR1A = 0;
        TCCR1B = 0;
        PORTB &= ~_BV(BUZZER_BIT);
        return;
    }
    OCR1A = (uint16_t)(1000000UL / hz - 1); /* toggled at 16 MHz / 8 / 2 */
    TCNT1 = 0;
    TCCR1A = _BV(COM1A0);
    TCCR1B = _BV(WGM12) | _BV(CS11);
}

static void tone_begin(void)
{
    tone_began = now_ticks;
    tone_ticks = (uint32_t)tune[tune_at].ms * 125 / 8;
    pitch(tune[tune_at].hz);
}

void hardware_tune(const struct tone *tones, uint8_t count)
{
    for (uint8_t i = 0; i < count; i++)
        tune[i] = tones[i];
    tune_count = count;
    tune_at = 0;
    if (count)
        tone_begin();
    else
        pitch(0);
}

static void tune_step(void)
{
    while (tune_at < tune_count && now_ticks - tone_began >= tone_ticks) {
        if (++tune_at < tune_count)
            tone_begin();
        else
            pitch(0);
    }
}

/* ---- strip: a bit is 20 cycles, high for 6 (375 ns, a 0) or 13 (812 ns, a 1) ---- */

void hardware_strip(const uint8_t *data, uint16_t bytes)
{
    uint8_t high = PORTD | _BV(STRIP_BIT);
    uint8_t low = PORTD & ~_BV(STRIP_BIT);
    uint8_t byte, bits;

    clock_step();
    cli();
    __asm__ volatile(
        "1: ld   %[byte], %a[data]+   \n"
        "   ldi  %[bits], 8           \n"
        "2: out  %[port], %[high]     \n" /* cycle 0 */
        "   nop                       \n"
        "   nop                       \n"
        "   nop                       \n"
        "   nop                       \n"
        "   sbrs %[byte], 7           \n"
        "   out  %[port], %[low]      \n" /* cycle 6 for a 0 */
        "   lsl  %[byte]              \n"
        "   nop                       \n"
        "   nop                       \n"
        "   nop                       \n"
        "   nop                       \n"
        "   nop                       \n"
        "   out  %[port], %[low]      \n" /* cycle 13 for a 1 */
        "   dec  %[bits]              \n"
        "   nop                       \n"
        "   nop                       \n"
        "   nop                       \n"
        "   brne 2b                   \n" /* cycle 20 */
        "   sbiw %[left], 1           \n"
        "   brne 1b                   \n"
        : [byte] "=&r"(byte), [bits] "=&d"(bits), [data] "+e"(data), [left] "+w"(bytes)
        : [port] "I"(_SFR_IO_ADDR(PORTD)), [high] "r"(high), [low] "r"(low)
        : "memory", "cc");
    sei();
    clock_step();
}

/* ---- the loop ---- */

static struct frames received;
static uint32_t heard_ticks; /* when the last sound frame came */
static uint8_t is_resting;

static void take(uint8_t byte)
{
    enum frame_state state = frames_take(&received, byte);

    if (state == FRAME_RUNS)
        return;
    if (has_overrun) {
        has_overrun = 0;
        if (state != FRAME_GOOD) {
            board_refuse_overrun();
            return;
        }
    }
    if (state == FRAME_GOOD) {
        clock_step();
        heard_ticks = now_ticks;
        is_resting = 0;
        board_obey(received.body[0], received.body[1], received.body + 2, received.done - 4);
    } else if (state == FRAME_TOO_LONG) {
        board_refuse_too_long();
    } else {
        board_refuse_damaged();
    }
}

int main(void)
{
    MCUSR = 0;
    wdt_disable();
    DDRD |= _BV(STRIP_BIT);
    DDRB |= _BV(BUZZER_BIT);
    clock_begin();
    serial_begin();
    frames_begin(&received);
    board_rest();
    is_resting = 1;
    set_sleep_mode(SLEEP_MODE_IDLE);
    sei();
    board_say_ready();

    for (;;) {
        clock_step();
        tune_step();
        if (!is_resting && now_ticks - heard_ticks >= WAIT_TICKS) {
            is_resting = 1;
            board_rest();
        }
        while (ring_tail != ring_head) {
            uint8_t byte = ring[ring_tail];
            ring_tail = (ring_tail + 1) % RING;
            take(byte);
        }
        cli();
        if (ring_tail == ring_head) {
            sleep_enable();
            sei(); /* the instruction after it is carried out before any interrupt: no byte is slept through */
            sleep_cpu();
            sleep_disable();
        }
        sei();
    }
}
