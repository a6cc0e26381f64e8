// Preloaded into an example. Writes the output of each `console.log`, with its number, to file descriptor 3.
import { writeSync } from "node:fs";
import { format } from "node:util";

Object.assign(globalThis, {
  __print: (/** @type {number} */ site, /** @type {unknown[]} */ ...values) =>
    writeSync(3, `${JSON.stringify({ site, text: format(...values) })}\n`),
});
