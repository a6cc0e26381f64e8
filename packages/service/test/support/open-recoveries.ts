import type { Worker, WorkerOptions } from "@hookwright/delivery";
import { sampleDeliveryBody, specificationEvents } from "@hookwright/domain";
import type { EventRegistry, Recovery } from "@hookwright/domain";
import type { Store } from "@hookwright/storage";
import { createReadMessages } from "../../src/deliveries/read-messages.ts";
import { createJobRunner } from "../../src/jobs/job-runner.ts";
import type { JobRunner, JobRunnerOptions } from "../../src/jobs/job-runner.ts";
import type { OrderRepository } from "../../src/repositories/order-repository.ts";
import { createFindOrdersOfHost } from "../../src/repositories/orders-of-host.ts";
import { createServerKeys } from "../../src/secrets/server-keys.ts";
import { createSigning } from "../../src/secrets/signing.ts";
import type { Service } from "../../src/use-cases.ts";
import { accountId, answered, createWorld } from "./fake-world.ts";
import type { World } from "./fake-world.ts";
import { openService } from "./open-service.ts";

const secret = "a test secret of 32 characters!!";

export interface Recoveries extends AsyncDisposable {
  readonly world: World;
  readonly service: Service;
  readonly worker: Worker;
  readonly recoverer: JobRunner;
  readonly webhookId: string;
  /** A moment before everything, as a timestamp. */
  readonly since: string;
  /** Publishes an order. Returns its deliveries. */
  publish(orderId: string, event?: string): Promise<readonly string[]>;
  /** Publishes an order that the endpoint refuses. */
  fail(...orderIds: string[]): Promise<void>;
  recover(input?: object): Promise<Recovery>;
  /** Lets time pass until the recovery ends, at most ten minutes. */
  finish(recovery: Recovery): Promise<Recovery>;
  /** The record ids that were sent since the last call, in order. */
  sent(): string[];
  /** Another worker and its recoverer over the same store, not started. */
  open(
    id: string,
    options?: Partial<JobRunnerOptions>,
  ): { readonly worker: Worker; readonly recoverer: JobRunner };
}

/** A service with a worker over a fake endpoint, and recoveries, all on a fake clock. A delivery has one attempt. */
export async function openRecoveries({
  worker: workerOptions = {},
  recoverer: recovererOptions = {},
  wrapStore = (inner) => inner,
  events = specificationEvents,
  event: webhookEvent = "order.created",
  subscription = { event: webhookEvent },
  orders,
}: {
  readonly worker?: Partial<WorkerOptions>;
  readonly recoverer?: Partial<JobRunnerOptions>;
  readonly wrapStore?: (store: Store) => Store;
  /** The events of the service. The worker and the recoverer know those of the specification. */
  readonly events?: EventRegistry;
  /** The event of the webhook. @default "order.created" */
  readonly event?: string;
  /** What the webhook gets. @default the event */
  readonly subscription?: object;
  /** The orders of the host. @default it keeps none */
  readonly orders?: OrderRepository;
} = {}): Promise<Recoveries> {
  const world = createWorld({ wrapStore });
  const { store, clock, transport, errors } = world;
  const onError = (error: unknown): void => void errors.push(error);
  const open = (id: string, options: Partial<JobRunnerOptions> = {}) => {
    const worker = world.worker({
      worker: { id, host: id, process: 1 },
      readMessages: createReadMessages({ store, onError }),
      openSigner: createSigning({ serverKeys: createServerKeys({ store, secret }) }).openSigner,
      retryDelaysSeconds: [],
      maximumBackoffMs: 0,
      ...workerOptions,
    });
    return {
      worker,
      recoverer: createJobRunner({
        store,
        events: specificationEvents,
        clock,
        worker,
        findOrdersOfHost:
          orders &&
          createFindOrdersOfHost(
            { store, cursors: createServerKeys({ store, secret }).cursors, now: clock.now, onError },
            orders,
          ),
        onError,
        ...recovererOptions,
        ...options,
      }),
    };
  };
  const { worker, recoverer } = open("worker_1");
  const { service } = openService({ store, worker, events, orders, now: clock.now, onError });
  await service.accounts.put(accountId, { email: "owner@example.com" });
  await service.projects.put("site_1", { account_id: accountId });
  const { webhook } = await service.webhooks.create(
    { accountId, credential: { type: "console" } },
    { ...subscription, target_url: "https://example.com/hook" },
  );
  const since = new Date(clock.now()).toISOString();
  await worker.start();
  recoverer.start();
  let read = 0;

  const publish: Recoveries["publish"] = async (orderId, event = webhookEvent) => {
    const data = { ...sampleDeliveryBody("order.created").data, id: orderId };
    return (await service.publish({ event, project_id: "site_1", data })).deliveries;
  };
  return {
    world,
    service,
    worker,
    recoverer,
    webhookId: webhook.id,
    since,
    publish,
    async fail(...orderIds) {
      transport.answerWith(() => answered(500));
      for (const orderId of orderIds) await publish(orderId);
      await clock.advance(1_000);
      transport.answerWith(() => answered(200));
      read = transport.sent.length;
    },
    recover: (input = {}) => service.webhooks.recover(accountId, webhook.id, { since, ...input }),
    async finish(recovery) {
      for (let step = 0; step < 1_200; step++) {
        await clock.advance(500);
        const now = await service.webhooks.getRecovery(accountId, recovery.id);
        if (now.status !== "running") return now;
      }
      throw new Error(`recovery ${recovery.id} never ends: ${String(errors.at(-1))}`);
    },
    sent() {
      const requests = transport.sent.slice(read);
      read = transport.sent.length;
      return requests.map(({ body }) => {
        const { data }: { readonly data: { readonly id: string } } = JSON.parse(body);
        return data.id;
      });
    },
    open,
    async [Symbol.asyncDispose]() {
      await recoverer.close();
      await worker.close();
    },
  };
}
