import process from "node:process";
import { Interrupted } from "./children.mjs";

const FRAMES = ["⠋", "⠙", "⠹", "⠸", "⠼", "⠴", "⠦", "⠧", "⠇", "⠏"];
const LABEL_WIDTH = 46;

/**
 * One line on stderr for each piece of work that was done, with its duration; nothing where nothing was done.
 * A terminal also shows what is under way. stdout stays the program's own.
 *
 * @typedef {ReturnType<typeof createProgress>} Progress
 *
 * @param {{ stream?: { isTTY?: boolean, columns?: number, write(text: string): unknown }, now?: () => number }} [options]
 */
export function createProgress({ stream = process.stderr, now = () => performance.now() } = {}) {
  const live = stream.isTTY === true && process.env["TERM"] !== "dumb";
  const colour = live && !process.env["NO_COLOR"];
  /** @type {Map<string, number>} */
  const underWay = new Map();
  /** @type {NodeJS.Timeout | undefined} */
  let timer;
  let frame = 0;

  /** @param {string} code @param {string} text */
  const paint = (code, text) => (colour ? `\u001B[${code}m${text}\u001B[0m` : text);

  const erase = () => void (live && stream.write("\r\u001B[K"));

  function draw() {
    const [oldest] = underWay.values();
    if (oldest === undefined) return;
    frame = (frame + 1) % FRAMES.length;
    const text = `${[...underWay.keys()].join(", ")} ${formatDuration(now() - oldest)}`;
    stream.write(
      `\r\u001B[K${paint("36", FRAMES[frame] ?? "")} ${text.slice(0, (stream.columns || 80) - 3)}`,
    );
  }

  /** @param {string} mark @param {string} code @param {string} label @param {number} started @param {string} detail */
  function finish(mark, code, label, started, detail) {
    underWay.delete(label);
    erase();
    const text = detail ? `${label}, ${detail}` : label;
    stream.write(
      `${paint(code, mark)} ${text.padEnd(LABEL_WIDTH)} ${paint("2", formatDuration(now() - started).padStart(7))}\n`,
    );
    if (underWay.size > 0) return;
    clearInterval(timer);
    timer = undefined;
  }

  return {
    /**
     * Runs `work` and prints one line when it ends; what it resolves to is the detail after the label.
     *
     * @param {string} label
     * @param {() => Promise<string | void>} work
     */
    async step(label, work) {
      const started = now();
      underWay.set(label, started);
      if (live && timer === undefined) timer = setInterval(draw, 100).unref();
      try {
        finish("✓", "32", label, started, (await work()) ?? "");
      } catch (error) {
        const stopped = error instanceof Interrupted;
        finish(stopped ? "·" : "✗", stopped ? "33" : "31", label, started, stopped ? "stopped" : "failed");
        throw error;
      }
    },

    /** @param {string} text */
    note(text) {
      erase();
      stream.write(`${paint("33", "·")} ${text}\n`);
    },
  };
}

/** @param {number} milliseconds */
export function formatDuration(milliseconds) {
  if (milliseconds < 60_000) return `${(milliseconds / 1000).toFixed(1)} s`;
  const seconds = Math.round(milliseconds / 1000);
  return `${Math.floor(seconds / 60)} min ${String(seconds % 60).padStart(2, "0")} s`;
}
