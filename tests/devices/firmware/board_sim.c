/* Runs the board's real program on a simulated ATmega328P and says what its pins do. A test program: never shipped.
 *
 * Licence: this source is under the project's MIT licence, which is compatible with the GPL. The program built from it
 * is linked with simavr and so falls under the GNU General Public License, version 3 or later; nothing else links it.
 *
 *   board_sim PROGRAM.elf script FILE   as fast as possible; FILE has lines `MICROSECONDS send HEX`, `... reset`,
 *                                       `... end`, in the order of time
 *   board_sim PROGRAM.elf live LINK     in real time; the serial port is a pty to which LINK leads; commands come on
 *                                       the standard input: reset, unplug, plug, hang, go, garbage, quit
 *
 * What happens is printed, one event a line, times in seconds of the simulated clock, in live runs also of
 * CLOCK_MONOTONIC:
 *   strip T END MONO t0h_ns t0h_ns t1h_ns t1h_ns RRGGBB...   latched; shortest and longest high times of 0 and 1
 *   tone T HZ                                                the buzzer's pitch, measured from its edges; 0 is silence
 *   said T HEX                                               one frame from the board, with its closing 00
 *   sent T                                                   the last byte of a script's `send` is on the wire
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <termios.h>
#include <time.h>
#include <unistd.h>

#include <simavr/avr_ioport.h>
#include <simavr/avr_uart.h>
#include <simavr/sim_avr.h>
#include <simavr/sim_cycle_timers.h>
#include <simavr/sim_elf.h>
#include <simavr/sim_irq.h>

#define MHZ 16
#define BYTE_CYCLES 1389 /* ten bits at 115200 baud */
#define LATCH_CYCLES (50 * MHZ)
#define SILENCE_CYCLES (20000 * MHZ) /* longer than the period of the lowest tone, 220 Hz */
#define PUMP_CYCLES (200 * MHZ)
#define LEDS_MOST 512

static avr_t *avr;
static int is_live, is_over, is_hung;
static int wants_reset; /* done between two instructions: it throws simavr's timers away, which are set again then */

/* ---- time ---- */

static double started_mono;
static avr_cycle_count_t started_cycle;

static double mono(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec + t.tv_nsec * 1e-9;
}

static double simulated(avr_cycle_count_t cycle)
{
    return cycle / (MHZ * 1e6);
}

/* ---- strip: bits from the lengths of the pulses on PD6 ---- */

static uint8_t strip[3 * LEDS_MOST];
static unsigned strip_bits;
static avr_cycle_count_t rise, fall, strip_began;
static unsigned shortest[2], longest[2];
static int strip_level = -1;

static avr_cycle_count_t latch(avr_t *a, avr_cycle_count_t when, void *param)
{
    (void)a, (void)param;
    double now = mono(), due = started_mono + simulated(when - started_cycle);
    printf("strip %.6f %.6f %.6f %u %u %u %u ", simulated(strip_began), simulated(fall), now > due ? now : due,
           shortest[0] * 1000 / MHZ, longest[0] * 1000 / MHZ, shortest[1] * 1000 / MHZ, longest[1] * 1000 / MHZ);
    if (strip_bits % 24)
        printf("broken:%u", strip_bits);
    else
        for (unsigned led = 0; led < strip_bits / 24; led++)
            printf("%02x%02x%02x", strip[3 * led + 1], strip[3 * led], strip[3 * led + 2]);
    putchar('\n');
    if (is_live)
        fflush(stdout);
    strip_bits = 0;
    return 0;
}

static void strip_pin(struct avr_irq_t *irq, uint32_t value, void *param)
{
    (void)irq, (void)param;
    int level = value != 0;
    if (level == strip_level)
        return;
    strip_level = level;
    if (level) {
        rise = avr->cycle;
        if (strip_bits == 0) {
            strip_began = rise;
            shortest[0] = shortest[1] = 1u << 20;
            longest[0] = longest[1] = 0;
            memset(strip, 0, sizeof strip);
        }
        avr_cycle_timer_cancel(avr, latch, 0);
        return;
    }
    fall = avr->cycle;
    if (rise == 0)
        return;
    unsigned width = (unsigned)(fall - rise);
    int bit = width * 1000 > 600 * MHZ; /* a WS2812B reads 0 up to 500 ns, 1 from 550 ns */
    if (width < shortest[bit])
        shortest[bit] = width;
    if (width > longest[bit])
        longest[bit] = width;
    if (strip_bits < 24 * LEDS_MOST) {
        if (bit)
            strip[strip_bits / 8] |= 0x80 >> (strip_bits % 8);
        strip_bits++;
    }
    avr_cycle_timer_register(avr, LATCH_CYCLES, latch, 0);
}

/* ---- buzzer: pitch from the edges on PB1 ---- */

static int buzzer_level = -1;
static avr_cycle_count_t last_up;
static double pitch;

static avr_cycle_count_t silence(avr_t *a, avr_cycle_count_t when, void *param)
{
    (void)a, (void)when, (void)param;
    printf("tone %.6f 0\n", simulated(last_up));
    pitch = 0;
    last_up = 0;
    return 0;
}

static void buzzer_pin(struct avr_irq_t *irq, uint32_t value, void *param)
{
    (void)irq, (void)param;
    int level = value != 0;
    if (level == buzzer_level)
        return;
    buzzer_level = level;
    if (!level)
        return;
    if (last_up) {
        double hz = MHZ * 1e6 / (double)(avr->cycle - last_up);
        if (hz > pitch * 1.01 || hz < pitch * 0.99) {
            printf("tone %.6f %.2f\n", simulated(last_up), hz);
            pitch = hz;
        }
    }
    last_up = avr->cycle;
    avr_cycle_timer_register(avr, SILENCE_CYCLES, silence, 0);
}

/* ---- serial port: bytes to the chip at the pace of the wire ---- */

static uint8_t queue[1 << 16];
static unsigned queue_head, queue_tail;
static int is_feeding;
static avr_irq_t *uart_in;

static avr_cycle_count_t feed(avr_t *a, avr_cycle_count_t when, void *param)
{
    (void)a, (void)param;
    if (queue_tail == queue_head) {
        is_feeding = 0;
        if (!is_live)
            printf("sent %.6f\n", simulated(avr->cycle));
        return 0;
    }
    avr_raise_irq(uart_in, queue[queue_tail]);
    queue_tail = (queue_tail + 1) % sizeof queue;
    return when + BYTE_CYCLES;
}

static void give(const uint8_t *data, unsigned count)
{
    for (unsigned i = 0; i < count; i++) {
        queue[queue_head] = data[i];
        queue_head = (queue_head + 1) % sizeof queue;
    }
    if (!is_feeding && count) {
        is_feeding = 1;
        avr_cycle_timer_register(avr, BYTE_CYCLES, feed, 0);
    }
}

static uint8_t said[4096];
static unsigned said_length;
static int master = -1;

static void uart_out(struct avr_irq_t *irq, uint32_t value, void *param)
{
    (void)irq, (void)param;
    uint8_t byte = (uint8_t)value;
    if (is_live) {
        if (master >= 0 && write(master, &byte, 1) < 0 && errno != EAGAIN)
            return;
        return;
    }
    if (said_length < sizeof said)
        said[said_length++] = byte;
    if (byte == 0) {
        printf("said %.6f ", simulated(avr->cycle));
        for (unsigned i = 0; i < said_length; i++)
            printf("%02x", said[i]);
        putchar('\n');
        said_length = 0;
    }
}

/* ---- live: a pty, commands, and the pace of the real clock ---- */

static const char *link_path;

static void plug(void)
{
    struct termios raw;
    if (master >= 0)
        return;
    master = posix_openpt(O_RDWR | O_NOCTTY | O_NONBLOCK);
    if (master < 0 || grantpt(master) || unlockpt(master)) {
        perror("pty");
        exit(2);
    }
    int slave = open(ptsname(master), O_RDWR | O_NOCTTY);
    tcgetattr(slave, &raw);
    cfmakeraw(&raw);
    tcsetattr(slave, TCSANOW, &raw);
    close(slave);
    unlink(link_path);
    if (symlink(ptsname(master), link_path)) {
        perror("link");
        exit(2);
    }
    wants_reset = 1;
    printf("plugged %.6f\n", mono());
    fflush(stdout);
}

static void unplug(void)
{
    if (master < 0)
        return;
    unlink(link_path);
    close(master);
    master = -1;
    queue_head = queue_tail = 0;
    printf("unplugged %.6f\n", mono());
    fflush(stdout);
}

/* Noise on the line, in both directions. */
static void garbage(void)
{
    static uint32_t noise = 1;
    uint8_t bytes[200];
    for (unsigned i = 0; i < sizeof bytes; i++) {
        noise = noise * 1664525 + 1013904223;
        bytes[i] = noise >> 24;
    }
    give(bytes, 60);
    if (master >= 0 && write(master, bytes, sizeof bytes) < 0)
        return;
}

static void command(const char *word)
{
    if (!strcmp(word, "reset"))
        wants_reset = 1;
    else if (!strcmp(word, "unplug"))
        unplug();
    else if (!strcmp(word, "plug"))
        plug();
    else if (!strcmp(word, "hang"))
        is_hung = 1;
    else if (!strcmp(word, "go"))
        is_hung = 0;
    else if (!strcmp(word, "garbage"))
        garbage();
    else if (!strcmp(word, "quit"))
        is_over = 1;
}

static void listen_to_commands(void)
{
    static char line[64];
    static unsigned length;
    char bytes[64];
    ssize_t count = read(0, bytes, sizeof bytes);
    if (count == 0)
        is_over = 1;
    for (ssize_t i = 0; i < count; i++) {
        if (bytes[i] == '\n') {
            line[length] = 0;
            command(line);
            length = 0;
        } else if (length < sizeof line - 1) {
            line[length++] = bytes[i];
        }
    }
}

/* Waits until the real time has come, hearing the pty and the commands meanwhile. */
static avr_cycle_count_t pump(avr_t *a, avr_cycle_count_t when, void *param)
{
    (void)a, (void)param;
    uint8_t bytes[512];
    for (;;) {
        double ahead_s = started_mono + simulated(avr->cycle - started_cycle) - mono();
        if (ahead_s < -0.5 || is_hung) { /* far behind, or standing still: do not run after the lost time */
            started_mono = mono();
            started_cycle = avr->cycle;
        }
        struct pollfd wait[2] = {{0, POLLIN, 0}, {master, POLLIN, 0}};
        struct timespec patience = {0, ahead_s > 0 && !is_hung ? (long)(ahead_s * 1e9) : is_hung ? 20000000 : 0};
        int ready = ppoll(wait, master >= 0 ? 2 : 1, &patience, 0);
        if (ready > 0 && wait[0].revents)
            listen_to_commands();
        if (ready > 0 && master >= 0 && (wait[1].revents & POLLIN) && !is_hung) {
            ssize_t count = read(master, bytes, sizeof bytes);
            if (count > 0)
                give(bytes, (unsigned)count);
        } else if (ready > 0 && wait[1].revents) { /* nobody has the other end open: POLLHUP comes again and again */
            struct timespec rest = {0, 200000};
            nanosleep(&rest, 0);
        }
        if (is_over || (!is_hung && (ahead_s <= 0 || ready == 0)))
            break;
    }
    return when + PUMP_CYCLES;
}

/* ---- script ---- */

static FILE *script;
static char *action;
static size_t action_size;
static avr_cycle_count_t next_act;

static avr_cycle_count_t act(avr_t *a, avr_cycle_count_t when, void *param)
{
    (void)a, (void)param;
    static uint8_t bytes[1 << 15];
    char *word = action;
    strtoull(action, &word, 10);
    word += strspn(word, " ");
    if (!strncmp(word, "send ", 5)) {
        unsigned count = 0;
        for (char *at = word + 5; at[0] > ' ' && at[1] > ' ' && count < sizeof bytes; at += 2) {
            char pair[3] = {at[0], at[1], 0};
            bytes[count++] = (uint8_t)strtoul(pair, 0, 16);
        }
        give(bytes, count);
    } else if (!strncmp(word, "reset", 5)) {
        wants_reset = 1;
    } else {
        is_over = 1;
        return 0;
    }
    if (getline(&action, &action_size, script) < 0) {
        is_over = 1;
        return 0;
    }
    next_act = strtoull(action, 0, 10) * MHZ;
    if (next_act <= when)
        next_act = when + 1;
    return next_act;
}

static void no_sleep(avr_t *a, avr_cycle_count_t cycles)
{
    (void)a, (void)cycles;
}

static void reset(void)
{
    wants_reset = is_feeding = 0;
    queue_head = queue_tail = said_length = 0;
    strip_bits = 0;
    avr_reset(avr);
    if (is_live)
        avr_cycle_timer_register(avr, PUMP_CYCLES, pump, 0);
    else
        avr_cycle_timer_register(avr, next_act > avr->cycle ? next_act - avr->cycle : 1, act, 0);
}

static void watch(char port, int bit, avr_irq_notify_t notify)
{
    avr_irq_register_notify(avr_io_getirq(avr, AVR_IOCTL_IOPORT_GETIRQ(port), bit), notify, 0);
}

int main(int argc, char **argv)
{
    static elf_firmware_t program;
    uint32_t no_flags = 0;

    if (argc != 4 || elf_read_firmware(argv[1], &program)) {
        fprintf(stderr, "board_sim PROGRAM.elf script FILE | live LINK\n");
        return 2;
    }
    is_live = !strcmp(argv[2], "live");
    setvbuf(stdout, 0, is_live ? _IOLBF : _IOFBF, 1 << 16);
    avr = avr_make_mcu_by_name("atmega328p");
    avr_init(avr);
    avr->log = LOG_ERROR;
    program.frequency = MHZ * 1000000;
    avr_load_firmware(avr, &program);
    avr->sleep = no_sleep;
    avr_ioctl(avr, AVR_IOCTL_UART_SET_FLAGS('0'), &no_flags);
    uart_in = avr_io_getirq(avr, AVR_IOCTL_UART_GETIRQ('0'), UART_IRQ_INPUT);
    avr_irq_register_notify(avr_io_getirq(avr, AVR_IOCTL_UART_GETIRQ('0'), UART_IRQ_OUTPUT), uart_out, 0);
    watch('D', 6, strip_pin);
    watch('B', 1, buzzer_pin);

    if (is_live) {
        link_path = argv[3];
        plug();
        started_mono = mono();
        started_cycle = avr->cycle;
    } else {
        script = fopen(argv[3], "r");
        if (!script || getline(&action, &action_size, script) < 0) {
            perror(argv[3]);
            return 2;
        }
        next_act = strtoull(action, 0, 10) * MHZ + 1;
    }
    wants_reset = 1;
    while (!is_over) {
        if (wants_reset)
            reset();
        int state = avr_run(avr);
        if (state == cpu_Done || state == cpu_Crashed) {
            printf("crashed %.6f\n", simulated(avr->cycle));
            return 1;
        }
    }
    if (is_live)
        unplug();
    fflush(stdout);
    return 0;
}
