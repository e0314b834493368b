// Runs the firmware's pure modules and the scenario under a real MicroPython interpreter.
// Arguments: the firmware's folder, the scenario's file, the folder of golden vectors.
// Prints one JSON object; any error of the interpreter ends with a status of 1.
import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { loadMicroPython } from "@micropython/micropython-webassembly-pyscript/micropython.mjs";

const [firmware, scenario, golden] = process.argv.slice(2);
const PURE = ["__init__", "wire", "cell", "signals", "loop"];

const printed = [];
const micropython = await loadMicroPython({
  linebuffer: true,
  stdout: (line) => printed.push(line),
});
micropython.FS.mkdir("/tippo");
for (const name of PURE) {
  micropython.FS.writeFile(`/tippo/${name}.py`, readFileSync(join(firmware, "tippo", `${name}.py`)));
}
micropython.FS.writeFile("/scenario.py", readFileSync(scenario));
for (const name of readdirSync(golden)) {
  micropython.FS.writeFile(`/${name}`, readFileSync(join(golden, name)));
}
micropython.runPython(`
import json, sys
sys.path.insert(0, "/")
import scenario
def vectors(name):
    with open("/" + name) as file:
        return [json.loads(line) for line in file if line.strip()]
print(json.dumps({
    "interpreter": sys.implementation[0],
    "told": scenario.tell(),
    "lines": scenario.lines_of(vectors("board_lines.jsonl")),
    "commands": scenario.commands_of([v["line"] for v in vectors("commands.jsonl")]),
}))
`);
console.log(printed.join("\n"));
