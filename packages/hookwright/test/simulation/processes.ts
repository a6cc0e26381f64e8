import { isHookwrightError } from "@hookwright/domain";
import type { Service } from "@hookwright/service";
import { partitionOf } from "@hookwright/storage";
import type { Store } from "@hookwright/storage";
import type { Endpoints } from "./endpoints.ts";
import type { Asked, History } from "./history.ts";
import { createLateCommits } from "./late-commits.ts";
import type { Network } from "./network.ts";
import { accountIds } from "./operations.ts";
import { createProcess } from "./simulated-process.ts";
import type { SimulatedProcess } from "./simulated-process.ts";

export interface Outcome<Result> extends Asked {
  readonly value: Result | undefined;
  /** It did not happen and will not happen. */
  readonly refused: boolean;
}

/** The processes over one storage, and functions that call them. */
export interface Processes {
  start(count: number): Promise<void>;
  /** Returns one of the running processes. */
  pick(nth: number): SimulatedProcess | undefined;
  /** Sends SIGSTOP, and SIGCONT after a while. */
  standStill(nth: number, ms: number): void;
  /** Puts the machine of all processes to sleep. Afterwards everything that became due happens at once. */
  sleep(ms: number): void;
  /** Returns the service of any running process. */
  service(): Service;
  /** Calls a process and records the times. An expected error is not a breach. */
  ask<Result>(asked: (service: Service) => Promise<Result>): Promise<Outcome<Result>>;
  /** Makes a change that affects what may be sent. */
  change(of: string, allows: boolean, asked: (service: Service) => Promise<unknown>): Promise<void>;
  /** Advances the clock until the call ends. Undefined if it does not end or fails. */
  settle<Result>(asked: Promise<Result>): Promise<Result | undefined>;
  kill(): void;
}

export interface ProcessesOptions {
  readonly network: Network;
  readonly openStore: () => Promise<Store>;
  readonly endpoints: Endpoints;
  readonly history: History;
}

/** How long a caller waits for a response. */
const patienceMs = 20_000;

export async function createProcesses({
  network,
  openStore,
  endpoints,
  history,
}: ProcessesOptions): Promise<Processes> {
  const { clock, random } = network;
  const partitions = accountIds.map(partitionOf);
  const lateCommits = createLateCommits(network);
  const workers: SimulatedProcess[] = [];
  let made = 0;

  async function createOne(): Promise<SimulatedProcess> {
    made += 1;
    return createProcess({
      id: `process ${made}`,
      network,
      store: await openStore(),
      lateCommits,
      partitions,
      endpoints,
      onAttempt: (one) => history.told.push(one),
      onFault: (error) => history.faults.push(error),
    });
  }

  /** A process that serves but never delivers, and that never has disruptions. */
  const server = await createOne();

  const running = (): readonly SimulatedProcess[] => workers.filter(({ state }) => state === "runs");

  function pick(nth: number): SimulatedProcess | undefined {
    const all = running();
    return all[nth % all.length];
  }

  function service(): Service {
    const all = running();
    return (all[Math.floor(random() * (all.length + 1))] ?? server).service;
  }

  async function outcomeOf<Result>(
    asked: Promise<Result>,
  ): Promise<{ readonly value: Result } | { readonly error: unknown } | undefined> {
    let outcome: { readonly value: Result } | { readonly error: unknown } | undefined;
    asked.then(
      (value) => (outcome = { value }),
      (error: unknown) => (outcome = { error }),
    );
    const end = clock.now() + patienceMs;
    while (outcome === undefined && clock.now() < end) await clock.advance(5);
    return outcome;
  }

  async function settle<Result>(asked: Promise<Result>): Promise<Result | undefined> {
    const outcome = await outcomeOf(asked);
    return outcome !== undefined && "value" in outcome ? outcome.value : undefined;
  }

  async function ask<Result>(asked: (service: Service) => Promise<Result>): Promise<Outcome<Result>> {
    const askedAt = clock.now();
    const outcome = await outcomeOf(asked(service()));
    if (outcome !== undefined && "value" in outcome)
      return { askedAt, doneAt: clock.now(), value: outcome.value, refused: false };
    const error = outcome?.error;
    const refused = isHookwrightError(error) && error.status < 500;
    const isCalm = network.disruptions.length === 0 && workers.every(({ state }) => state === "runs");
    if (outcome === undefined && isCalm) history.faults.push(new Error("there was no response"));
    if (outcome !== undefined && !refused) history.faults.push(error);
    return { askedAt, doneAt: undefined, value: undefined, refused };
  }

  return {
    async start(count) {
      const started = await Promise.all(Array.from({ length: count }, createOne));
      workers.push(...started);
      await settle(Promise.all(started.map((one) => one.start())));
    },
    pick,
    standStill(nth, ms) {
      const process = pick(nth);
      process?.stop();
      clock.schedule(() => process?.goOn(), ms);
    },
    sleep(ms) {
      const all = running();
      for (const one of all) one.stop();
      clock.jump(ms);
      for (const one of all) one.goOn();
    },
    service,
    ask,
    async change(of, allows, asked) {
      const { askedAt, doneAt, refused } = await ask(asked);
      if (!refused) history.changes.push({ of, allows, askedAt, doneAt });
    },
    settle,
    kill() {
      for (const worker of workers) worker.kill();
    },
  };
}
