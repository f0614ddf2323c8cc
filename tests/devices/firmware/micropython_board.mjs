// Runs the Pico's program in MicroPython, with a port, pins and a clock that follow a script.
// Standard input: {"modules": node_modules, "program": main.py's path, "leds": n, "limit_ma": n, "until_ms": t,
//                  "steps": [[ms, hex], ...]}
// Standard output: one JSON event a line: {"ms", "strip": hex} | {"ms", "hz"} | {"ms", "said": hex}
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

const job = JSON.parse(readFileSync(0, "utf8"));
const folder = join(job.modules, "@micropython", "micropython-webassembly-pyscript");
const { loadMicroPython } = await import(pathToFileURL(join(folder, "micropython.mjs")));
const lines = [];
const python = await loadMicroPython({ heapsize: 1024 * 1024, stdout: (line) => lines.push(line) });
const source = readFileSync(job.program, "utf8")
  .replace(/^LEDS = \d+$/m, `LEDS = ${job.leds}`)
  .replace(/^LIMIT_MA = \d+/m, `LIMIT_MA = ${job.limit_ma}`);
python.FS.writeFile("/main.py", source);
python.FS.writeFile("/job.json", JSON.stringify(job));
python.runPython(`
import sys
sys.path.insert(0, "/")
import json, main
with open("/job.json") as file:
    job = json.load(file)

class Clock:
    ms = 0
    def ticks_ms(self): return self.ms
    def ticks_diff(self, a, b): return a - b
    def ticks_add(self, a, b): return a + b

class World:
    """Port and pins; each read lets a millisecond pass."""
    def __init__(self):
        self.steps = [(ms, bytes.fromhex(data)) for ms, data in job["steps"]]
    def read(self):
        clock.ms += 1
        data = b""
        while self.steps and self.steps[0][0] <= clock.ms:
            data += self.steps.pop(0)[1]
        return data
    def write(self, data): print(json.dumps({"ms": clock.ms, "said": bytes(data).hex()}))
    def strip(self, data): print(json.dumps({"ms": clock.ms, "strip": bytes(data).hex()}))
    def pitch(self, hz): print(json.dumps({"ms": clock.ms, "hz": hz}))

clock = main.time = Clock()
world = World()
main.serve(world, world, lambda: clock.ms >= job["until_ms"])
`);
console.log(lines.join("\n"));
