import { createCursorCodec } from "@hookwright/cursor";
import {
  createScheduler,
  createSecretBox,
  createSignerSource,
  createSweeper,
  runAttempt,
} from "@hookwright/delivery";
import type { AttemptRow, Clock } from "@hookwright/delivery";
import { createIdSource } from "@hookwright/domain";
import { createReadMessages, createService } from "@hookwright/service";
import type { Service } from "@hookwright/service";
import type { Store } from "@hookwright/storage";
import { connectStorage } from "./connect-storage.ts";
import type { Endpoints } from "./endpoints.ts";
import type { LateCommits } from "./late-commits.ts";
import type { Network } from "./network.ts";

const secret = "a secret of at least thirty-two characters";

/** A program over the shared storage, that can be stopped, go on, and die, all at any moment. */
export interface SimulatedProcess {
  readonly id: string;
  readonly service: Service;
  readonly state: "runs" | "stopped" | "dead";
  /** Begins to deliver, and to sweep. */
  start(): Promise<void>;
  /** SIGTERM: its service answers still. */
  close(): Promise<unknown>;
  /** SIGSTOP: what reaches it waits, what it has sent is on its way. */
  stop(): void;
  /** SIGCONT. */
  goOn(): void;
  /** `kill -9`. */
  kill(): void;
}

/** What a scheduler told of, once it was durable. */
export interface Told {
  readonly webhookId: string;
  readonly deliveryId: string;
  readonly attempt: AttemptRow;
  readonly at: number;
}

export interface ProcessOptions {
  readonly id: string;
  readonly network: Network;
  /** The storage itself, which is never away. */
  readonly store: Store;
  readonly lateCommits: LateCommits;
  readonly partitions: readonly string[];
  readonly endpoints: Endpoints;
  readonly onAttempt: (told: Told) => void;
  readonly onFault: (error: unknown) => void;
}

export function createProcess(options: ProcessOptions): SimulatedProcess {
  const { id, network, endpoints, onFault } = options;
  let state: SimulatedProcess["state"] = "runs";
  let waiting: (() => void)[] = [];
  let stoppedAt = 0;

  /** Resolves at once while it runs, when it goes on, and never once it is dead. */
  function awake(): Promise<void> {
    if (state === "runs") return Promise.resolve();
    return new Promise((resolve) => {
      if (state === "stopped") waiting.push(resolve);
    });
  }

  const clock: Clock = {
    now: network.clock.now,
    schedule(callback, delayMs) {
      let isCancelled = false;
      const call = async (): Promise<void> => {
        await awake();
        if (!isCancelled) callback();
      };
      const cancel = network.clock.schedule(() => void call(), delayMs);
      return () => {
        isCancelled = true;
        cancel();
      };
    },
  };
  const store = connectStorage({ ...options, awake });
  const transport = endpoints.transportOf(id, awake);
  const secretBox = createSecretBox({ secret });
  const signers = createSignerSource({ secretBox });
  const randomBytes = (size: number): Uint8Array =>
    Uint8Array.from({ length: size }, () => Math.floor(network.random() * 256));
  const scheduler = createScheduler({
    store,
    partitions: options.partitions,
    worker: { id, host: id, process: 1 },
    transport,
    readMessages: createReadMessages({ store, onError: () => {} }),
    signers,
    retryDelaysSeconds: [15, 60, 240, 540, 900],
    attemptTimeoutMs: 10_000,
    clock,
    wallClock: clock.now,
    random: network.random,
    onNotice: () => {},
    onFault,
    onAttempt: (_, delivery, attempt) =>
      options.onAttempt({
        webhookId: delivery.webhook_id,
        deliveryId: delivery.id,
        attempt,
        at: clock.now(),
      }),
  });
  const partitions = (): readonly string[] => scheduler.heldPartitions();
  const sweeper = createSweeper({ store, clock, partitions, onFault });
  const service = createService({
    store,
    secret,
    cursors: createCursorCodec({ secret }),
    secretBox,
    targetPolicy: { privateTargets: false, trustedOrigins: [] },
    now: clock.now,
    newId: createIdSource({ now: clock.now, randomBytes }),
    randomBytes,
    random: network.random,
    signers,
    runAttempt: (input) => runAttempt(input, { transport, timeoutMs: 10_000, wallClock: clock.now }),
    consoleTokenSeconds: 3_600,
    scheduler,
    onError: onFault,
  });

  return {
    id,
    service,
    async start() {
      await scheduler.start();
      sweeper.start();
    },
    close: () => Promise.all([scheduler.close(), sweeper.close()]),
    get state() {
      return state;
    },
    stop() {
      if (state !== "runs") return;
      state = "stopped";
      stoppedAt = network.clock.now();
    },
    goOn() {
      if (state !== "stopped") return;
      state = "runs";
      network.disruptions.push({ processId: id, from: stoppedAt, to: network.clock.now() });
      const resumed = waiting;
      waiting = [];
      for (const resume of resumed) resume();
    },
    kill() {
      const now = network.clock.now();
      network.disruptions.push({ processId: id, from: state === "stopped" ? stoppedAt : now, to: now });
      state = "dead";
      waiting = [];
    },
  };
}
