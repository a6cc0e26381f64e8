import os from "node:os";
import process from "node:process";

/** A server may take 15 s to let requests and attempts in flight end. */
const GRACE_MS = 20_000;

/** What stops a run that was told to end; nothing is printed for it. */
export class Interrupted extends Error {
  /** @param {NodeJS.Signals} signal */
  constructor(signal) {
    super(`ended by ${signal}`);
    this.name = "Interrupted";
    this.signal = signal;
  }
}

/** @type {Set<(signal: NodeJS.Signals) => void>} */
const children = new Set();

/** @type {NodeJS.Signals | undefined} */
let interruptedBy;

let onEnded = () => {};

/**
 * Keeps a child in sight of {@link interrupt} until the answered function is called.
 *
 * @param {(signal: NodeJS.Signals) => void} kill
 */
export function trackChild(kill) {
  children.add(kill);
  return () => {
    children.delete(kill);
    if (children.size === 0) onEnded();
  };
}

/** @throws {Interrupted} when this run was told to end, so that no further child is started. */
export function throwIfInterrupted() {
  if (interruptedBy !== undefined) throw new Interrupted(interruptedBy);
}

/**
 * Hands a signal to every child and waits for them, since they may have something to put in order; ends at once where there is none.
 *
 * @param {NodeJS.Signals} signal
 */
export function interrupt(signal) {
  interruptedBy ??= signal;
  if (children.size === 0) raise(signal);
  for (const kill of children) kill(signal);
}

/** Ends what a failed run has left under way, and waits for it. */
export async function endChildren() {
  if (children.size === 0) return;
  for (const kill of children) kill("SIGTERM");
  await new Promise((/** @type {(value: void) => void} */ resolve) => (onEnded = resolve));
}

/** Ends every child of a run that nobody waits for any more: gently, and after a while by force. */
export function interruptAbandoned() {
  interrupt("SIGTERM");
  setTimeout(() => {
    for (const kill of children) kill("SIGKILL");
  }, GRACE_MS).unref();
}

/** Ends this process by a signal, as npm and supervisors expect of a program that a signal has ended. @param {NodeJS.Signals} signal */
export function raise(signal) {
  process.removeAllListeners(signal);
  process.exitCode = 128 + os.constants.signals[signal];
  process.emit("exit", process.exitCode);
  process.kill(process.pid, signal);
  // The first process of a container is not ended by its own signals.
  setTimeout(() => process.exit(), 1_000);
}
