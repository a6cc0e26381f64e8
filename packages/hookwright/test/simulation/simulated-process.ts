import { createWorker, runAttempt } from "@hookwright/delivery";
import type { AttemptRow, Clock } from "@hookwright/delivery";
import {
  createJobRunner,
  createReadMessages,
  createServerKeys,
  createService,
  createSigning,
  createSweeper,
} from "@hookwright/service";
import type { Service } from "@hookwright/service";
import { specificationEvents } from "@hookwright/domain";
import type { Store } from "@hookwright/storage";
import { connectStorage } from "./connect-storage.ts";
import type { Endpoints } from "./endpoints.ts";
import type { LateCommits } from "./late-commits.ts";
import type { Network } from "./network.ts";
import { retryDelaysSeconds } from "./operations.ts";

const secret = "a secret of at least thirty-two characters";

/** A program over the shared storage. It can be stopped, resumed and killed at any moment. */
export interface SimulatedProcess {
  readonly id: string;
  readonly service: Service;
  readonly state: "runs" | "stopped" | "dead";
  /** Starts delivering and sweeping. */
  start(): Promise<void>;
  /** SIGTERM. Its service still responds. */
  close(): Promise<unknown>;
  /** SIGSTOP. Data that arrives waits, and data that was sent continues. */
  stop(): void;
  /** SIGCONT. */
  goOn(): void;
  /** `kill -9`. */
  kill(): void;
}

/** An attempt that the scheduler reported as durable. */
export interface Told {
  readonly webhookId: string;
  readonly deliveryId: string;
  readonly attempt: AttemptRow;
  readonly at: number;
}

export interface ProcessOptions {
  readonly id: string;
  readonly network: Network;
  /** The storage itself, which is always available. */
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

  /** Resolves at once while the process runs, or when it resumes. Never resolves after its death. */
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
  const randomBytes = (size: number): Uint8Array =>
    Uint8Array.from({ length: size }, () => Math.floor(network.random() * 256));
  const serverKeys = createServerKeys({ store, secret });
  const scheduler = createWorker({
    store,
    partitions: options.partitions,
    worker: { id, host: id, process: 1 },
    transport,
    readMessages: createReadMessages({ store, onError: () => {} }),
    openSigner: createSigning({ serverKeys }).openSigner,
    retryDelaysSeconds,
    attemptTimeoutMs: 10_000,
    clock,
    wallClock: clock.now,
    random: network.random,
    onNotice: () => {},
    onError: onFault,
    onAttempt: (_, delivery, attempt) =>
      options.onAttempt({
        webhookId: delivery.webhook_id,
        deliveryId: delivery.id,
        attempt,
        at: clock.now(),
      }),
  });
  const partitions = (): readonly string[] => scheduler.heldPartitions();
  const sweeper = createSweeper({ store, clock, partitions, onError: onFault });
  const jobs = createJobRunner({
    store,
    events: specificationEvents,
    clock,
    worker: scheduler,
    // So few that a job takes several steps, and waits.
    maximumPending: 60,
    onError: onFault,
  });
  const service = createService({
    store,
    serverKeys,
    worker: scheduler,
    testSender: {
      runAttempt: (input) => runAttempt(input, { transport, timeoutMs: 10_000, wallClock: clock.now }),
    },
    targetPolicy: { privateTargets: false, trustedOrigins: [] },
    consoleTokenSeconds: 3_600,
    now: clock.now,
    randomBytes,
    onError: onFault,
  });

  return {
    id,
    service,
    async start() {
      await scheduler.start();
      sweeper.start();
      jobs.start();
    },
    close: async () => {
      await jobs.close();
      await Promise.all([scheduler.close(), sweeper.close()]);
    },
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
