import type { Api } from "@hookwright/api";
import type { Worker } from "@hookwright/delivery";
import type { BuiltInEvents, EventName, KeptEventName, NoOwnEvents, OwnEvents } from "@hookwright/domain";
import type { Registry } from "@prometheus-io/client";
import type { HostFunctions } from "./host-functions.ts";
import { expectNode } from "./options/expect-node.ts";
import { expectSourceAddress } from "./options/expect-source-address.ts";
import type { HookwrightOptions } from "./options/options.ts";
import { createPublishInTransaction } from "./outbox/create-publish-in-transaction.ts";
import { buildParts } from "./parts/build-parts.ts";
import { readSetup } from "./parts/read-setup.ts";
import { startParts } from "./parts/start-parts.ts";
import { toHostFunctions } from "./to-host-functions.ts";

/** The integration API and its deliveries, ready to be mounted and called. */
export interface Hookwright<Own extends OwnEvents = NoOwnEvents, Kept extends EventName = EventName>
  extends AsyncDisposable, HostFunctions<Own, Kept> {
  /** The h3 app, to mount in another h3 app. */
  readonly app: Api["app"];
  /** For servers that use `Request` and `Response`. */
  readonly fetch: Api["fetch"];
  /** For Node's `http.createServer`, Express and others that take `(request, response)`. */
  readonly handler: Api["handler"];
  /**
   * For the `clientError` event of a Node server that serves only this API. Malformed requests then get the error
   * envelope.
   */
  readonly answerClientError: Api["answerClientError"];
  /** Only the operations routes: `/healthz`, `/readyz` and `/metrics`, without the base path. For a second port. */
  readonly admin: Pick<Api, "fetch" | "handler" | "answerClientError">;
  /** The path below which the routes are served, as in the option. */
  readonly basePath: string;
  /** The metrics of `/metrics`, for programs that serve them together with their own: `Registry.merge([own, metrics])`. */
  readonly metrics: Registry;
  readonly scheduler: Pick<Worker, "running" | "stats">;
  /**
   * Waits for attempts in progress, records their results and releases the leases. It takes at most 15 s, even if the
   * store does not respond. The next process repeats attempts that were not recorded. The store stays open.
   */
  close(): Promise<void>;
}

/**
 * Creates the whole integration layer over one store: the API under `/v1`, the functions for the host, and the
 * scheduler that delivers. Resolves once the scheduler runs.
 *
 * @throws ConfigurationError `invalid_option`, also if the store's data was written with another secret
 * @throws StorageError if the store cannot be read
 * @example
 * const secret = "use 32 random characters or more";
 * const hookwright = await createHookwright({ store: memoryStore(), secret });
 * http.createServer(hookwright.handler).listen(3000);
 */
export async function createHookwright<
  const Own extends OwnEvents = NoOwnEvents,
  const BuiltIn extends BuiltInEvents = BuiltInEvents,
>(options: HookwrightOptions<Own, BuiltIn>): Promise<Hookwright<Own, KeptEventName<BuiltIn>>> {
  expectNode();
  const setup = readSetup(options);
  await expectSourceAddress(setup.checked.egress);
  const parts = await buildParts(setup);
  const close = await startParts(parts);
  const { checked, metrics, store, outboxes, worker, service, api, admin } = parts;
  return {
    ...toHostFunctions<Own, KeptEventName<BuiltIn>>(service, {
      publishInTransaction: createPublishInTransaction({ store, outboxes, checkEvent: service.checkEvent }),
      basePath: checked.publicUrl ?? checked.basePath,
    }),
    app: api.app,
    fetch: api.fetch,
    handler: api.handler,
    answerClientError: api.answerClientError,
    admin: { fetch: admin.fetch, handler: admin.handler, answerClientError: admin.answerClientError },
    basePath: checked.basePath,
    metrics: metrics.registry,
    scheduler: worker,
    close,
    [Symbol.asyncDispose]: close,
  };
}
