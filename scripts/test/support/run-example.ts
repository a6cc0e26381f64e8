import { spawn } from "node:child_process";
import path from "node:path";
import process from "node:process";
import { Readable } from "node:stream";
import { text } from "node:stream/consumers";
import { pathToFileURL } from "node:url";
import { ROOT } from "../../bootstrap/workspace.mjs";
import { instrument } from "./expected-prints.ts";
import type { Print } from "./expected-prints.ts";
import type { Example } from "./read-examples.ts";
import { writeExample } from "./write-example.ts";

const printRecorder = pathToFileURL(path.join(ROOT, "scripts/test/support/print-recorder.mjs")).href;

/** The compile cache, shared with the servers of other tests. It makes processes start faster. */
const compileCache = path.join(ROOT, "node_modules/.cache/servers-under-test");

/**
 * Runs an example in its own process with the built packages.
 *
 * @returns the problems, one per line: it fails, does not exit, or its output differs from its comments
 */
export async function runExample(
  { place, code }: Pick<Example, "place" | "code">,
  { limitMs = 80_000 }: { readonly limitMs?: number } = {},
): Promise<string[]> {
  const instrumented = instrument(code);
  const { file, remove } = writeExample(place, instrumented.code);
  try {
    const { status, printed, complained } = await run(file, limitMs);
    if (status !== 0) return [`${status}\n${complained.replaceAll(pathToFileURL(file).href, "the block")}`];
    return compare(instrumented.prints, printed);
  } finally {
    remove();
  }
}

async function run(file: string, limitMs: number) {
  const child = spawn(process.execPath, ["--import", printRecorder, file], {
    stdio: ["ignore", "ignore", "pipe", "pipe"],
    env: { ...process.env, NO_COLOR: "1", FORCE_COLOR: undefined, NODE_COMPILE_CACHE: compileCache },
  });
  let late = false;
  const timer = setTimeout(() => {
    late = true;
    child.kill("SIGKILL");
  }, limitMs);
  const [complained, records, status] = await Promise.all([
    readAll(child.stderr),
    readAll(child.stdio[3]),
    new Promise<number | string>((resolve, reject) => {
      child.once("error", reject);
      child.once("close", (code, signal) => {
        clearTimeout(timer);
        const died = code === null ? `ended by ${signal}` : `exit code ${code}`;
        resolve(late ? `still runs after ${limitMs} ms: something is left open` : code === 0 ? 0 : died);
      });
    }),
  ]);
  const printed: { site: number; text: string }[] = records
    .trim()
    .split("\n")
    .filter(Boolean)
    .map((line) => JSON.parse(line));
  return { status, printed, complained };
}

async function readAll(stream: unknown): Promise<string> {
  return stream instanceof Readable ? text(stream) : "";
}

function compare(
  prints: readonly Print[],
  printed: readonly { readonly site: number; readonly text: string }[],
): string[] {
  return prints.flatMap(({ line, expected }, site) => {
    if (expected === undefined) return [];
    const texts = printed.filter((record) => record.site === site).map(({ text: said }) => toOneLine(said));
    if (texts.length > 0 && texts.every((said) => said === expected)) return [];
    return [
      `line ${line} of the block prints ${texts.join(" | ") || "nothing"}; its comment says ${expected}`,
    ];
  });
}

/** Node prints long objects on several lines. A comment has one line. */
function toOneLine(said: string): string {
  return said.replaceAll(/\s*\n\s*/gu, " ");
}
