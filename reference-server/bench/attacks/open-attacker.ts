import { fork } from "node:child_process";
import { once } from "node:events";
import { setTimeout as pause } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import type { AttackName } from "./options.ts";

/** The server and the account of an attack. */
export interface AttackTarget {
  readonly url: string;
  /** The rate for attacks that hold sockets. */
  readonly connectionsPerSecond: number;
  readonly apiKey: string;
  readonly consoleToken: string;
  readonly projectId: string;
  readonly webhookId: string;
  readonly deliveryId: string;
  readonly recordId: string;
  readonly victimEmail: string;
}

export interface Attacker extends AsyncDisposable {
  readonly name: AttackName;
  /** The endpoint of the account's webhooks. */
  readonly endpointOrigin: string;
  start(target: AttackTarget): void;
  /** The number of each outcome. Empty if the attacker does not respond within some seconds. */
  counts(): Promise<Readonly<Record<string, number>>>;
}

const answerWithinMs = 5_000;

export async function openAttacker(name: AttackName): Promise<Attacker> {
  const child = fork(fileURLToPath(new URL("attacker.ts", import.meta.url)), [name]);
  const ended = once(child, "exit");
  process.once("exit", () => child.kill("SIGKILL"));
  const [{ origin }] = await once(child, "message");
  return {
    name,
    endpointOrigin: String(origin),
    start: (target) => void child.send({ ...target, attack: name }),
    async counts() {
      if (!child.connected) return { "the attacker ended": 1 };
      const answered = once(child, "message");
      child.send("counts");
      const [counts = {}] = await Promise.race([answered, pause(answerWithinMs, [], { ref: false })]);
      return counts;
    },
    async [Symbol.asyncDispose]() {
      child.kill("SIGKILL");
      await ended;
    },
  };
}
