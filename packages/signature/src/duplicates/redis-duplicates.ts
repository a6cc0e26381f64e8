import type { DuplicateStorage } from "./duplicate-storage.ts";

/** Removes a mark if it was not replaced, atomically. KEYS: 1 the event's key. ARGV: 1 the mark. */
const removeScript = `if redis.call("GET", KEYS[1]) == ARGV[1] then return redis.call("DEL", KEYS[1]) end return 0`;

/**
 * Stores the marks of a guard in Redis 7 or Valkey: for receivers of any number of processes. If two of them receive an event
 * at once, one handles it.
 *
 * @param send sends a command with your Redis client
 * @example
 * redisDuplicates((command, ...words) => ioredis.call(command, ...words));
 * redisDuplicates((...words) => nodeRedis.sendCommand(words));
 */
export function redisDuplicates(
  send: (command: string, ...words: string[]) => PromiseLike<unknown>,
): DuplicateStorage {
  return {
    async claim(key, mark, seconds) {
      const known = await send("SET", key, mark, "NX", "GET", "PX", milliseconds(seconds));
      return known === null || known === undefined ? null : toText(known);
    },
    put: (key, mark, seconds) => send("SET", key, mark, "PX", milliseconds(seconds)),
    remove: (key, mark) => send("EVAL", removeScript, "1", key, mark),
  };
}

/** Clients return text, or bytes if they are configured so. */
function toText(reply: unknown): string {
  if (typeof reply === "string") return reply;
  if (reply instanceof Uint8Array) return new TextDecoder().decode(reply);
  throw new TypeError("`send` must return the reply of Redis: a string, bytes or null");
}

function milliseconds(seconds: number): string {
  return String(Math.ceil(seconds * 1_000));
}
