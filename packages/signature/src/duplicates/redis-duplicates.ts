import type { DuplicateStorage } from "./duplicate-storage.ts";

/** Removes a mark where it is still the one that was set, in one step. KEYS: 1 the event's key. ARGV: 1 the mark. */
const removeScript = `if redis.call("GET", KEYS[1]) == ARGV[1] then return redis.call("DEL", KEYS[1]) end return 0`;

/**
 * What a guard knows, in Redis 7 or Valkey: for receivers of any number of processes. Of two that are sent one event at once, one
 * handles it.
 *
 * @param send sends a command by whatever client there is
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

/** Clients answer text, or bytes where they are told to. */
function toText(reply: unknown): string {
  if (typeof reply === "string") return reply;
  if (reply instanceof Uint8Array) return new TextDecoder().decode(reply);
  throw new TypeError("`send` must answer what Redis answered: a text, bytes or null");
}

function milliseconds(seconds: number): string {
  return String(Math.ceil(seconds * 1_000));
}
