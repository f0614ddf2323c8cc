// Runs the Arduino's program cycle by cycle in avr8js, with the chip's own receive buffer: two bytes and the shift
// register. A byte is lost where all three are full when the next start bit comes, as the data sheet says.
// Standard input: {"modules": node_modules, "hex": path, "frames": [hex, ...], "waits": bool, "until_ms": t}
//   waits: one frame in flight, the next 0.5 ms after the answer to the last; otherwise all frames back to back
// Standard output: {"lost": bytes, "said": [hex, ...], "strips": [hex of green, red, blue, ...]}
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { createRequire } from "node:module";

const job = JSON.parse(readFileSync(0, "utf8"));
const { CPU, AVRIOPort, AVRTimer, AVRUSART, avrInstruction, portBConfig, portDConfig, timer1Config, timer2Config,
  usart0Config } = createRequire(import.meta.url)(join(job.modules, "avr8js"));

const HZ = 16e6;
const BYTE_CYCLES = 1389;
const LATCH_CYCLES = 800;
const RXC = 0x80;
const DOR = 0x08;

const program = new Uint8Array(0x8000).fill(0xff);
for (const line of readFileSync(job.hex, "ascii").split("\n")) {
  if (line.startsWith(":") && line.slice(7, 9) === "00") {
    const count = parseInt(line.slice(1, 3), 16);
    const address = parseInt(line.slice(3, 7), 16);
    for (let i = 0; i < count; i++) program[address + i] = parseInt(line.slice(9 + 2 * i, 11 + 2 * i), 16);
  }
}
const cpu = new CPU(new Uint16Array(program.buffer));
new AVRTimer(cpu, timer1Config);
new AVRTimer(cpu, timer2Config);
new AVRIOPort(cpu, portBConfig);
const portD = new AVRIOPort(cpu, portDConfig);
const usart = new AVRUSART(cpu, usart0Config, HZ);

// What the board says.
const said = [];
let saying = [];
let answers = 0;
usart.onByteTransmit = (value) => {
  saying.push(value);
  if (value === 0) {
    said.push(Buffer.from(saying).toString("hex"));
    saying = [];
    answers++;
  }
};

// What it hears: the chip's buffer in place of avr8js's single byte.
const buffer = [];
let shifted = null;
let lost = 0;
let overran = 0;
function settle() {
  if (shifted !== null && buffer.length < 2) {
    buffer.push(shifted);
    shifted = null;
  }
  if (buffer.length) cpu.setInterruptFlag(usart.RXC);
}
cpu.readHooks[usart0Config.UDR] = () => {
  const value = buffer.shift() ?? 0;
  overran = 0;
  cpu.clearInterrupt(usart.RXC);
  settle();
  return value;
};
cpu.readHooks[usart0Config.UCSRA] = (address) =>
  (cpu.data[address] & ~(RXC | DOR)) | (buffer.length ? RXC : 0) | overran;
function startBit() {
  if (shifted !== null) {
    lost++;
    overran = DOR;
    shifted = null;
  }
}
function arrived(value) {
  if (!usart.rxEnable) lost++;
  else {
    shifted = value;
    settle();
  }
}

// The wire.
const wire = [];
let nextByte = null;
let sent = 0;
let freeFrom = 0;
function wireStep() {
  if (nextByte !== null) {
    if (cpu.cycles < nextByte.at) return;
    arrived(nextByte.value);
    nextByte = null;
  }
  if (wire.length && nextByte === null && cpu.cycles >= freeFrom) {
    startBit();
    nextByte = { value: wire.shift(), at: cpu.cycles + BYTE_CYCLES };
  }
}

// The strip on PD6.
const strips = [];
let bits = [];
let rise = 0;
let fall = 0;
let level = false;
portD.addListener((value) => {
  const now = Boolean(value & 0x40);
  if (now === level) return;
  level = now;
  if (now) rise = cpu.cycles;
  else {
    fall = cpu.cycles;
    bits.push(fall - rise > 9 ? 1 : 0);
  }
});
function latch() {
  if (bits.length && !level && cpu.cycles - fall > LATCH_CYCLES) {
    const bytes = [];
    for (let i = 0; i < bits.length; i += 8) bytes.push(parseInt(bits.slice(i, i + 8).join(""), 2));
    strips.push(Buffer.from(bytes).toString("hex"));
    bits = [];
  }
}

const frames = job.frames.map((frame) => [...Buffer.from(frame, "hex")]);
const begin = 0.02 * HZ;
const end = (job.until_ms / 1000) * HZ;
let answersBefore = 0;
while (cpu.cycles < end) {
  avrInstruction(cpu);
  cpu.tick();
  wireStep();
  latch();
  if (cpu.cycles < begin) answersBefore = answers;
  else if (!job.waits && sent === 0) {
    for (const frame of frames) wire.push(...frame);
    sent = frames.length;
  } else if (job.waits && sent < frames.length && answers - answersBefore === sent && !wire.length && nextByte === null) {
    wire.push(...frames[sent++]);
    freeFrom = cpu.cycles + 0.0005 * HZ;
  }
}
console.log(JSON.stringify({ lost, said, strips }));
