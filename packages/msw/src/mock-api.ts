import type {
  DeliveryBody,
  EventData,
  EventName,
  KnownEventName,
  NoOwnEvents,
  OwnDeliveryBody,
  OwnEventInput,
  OwnEvents,
} from "@hookwright/domain";
import { http } from "msw";
import type { HttpHandler } from "msw";
import { answerRequest } from "./answer-request.ts";
import { takeDeliveries } from "./delivery/take-deliveries.ts";
import type { TakenDelivery } from "./delivery/take-deliveries.ts";
import { createMockEvents } from "./events/mock-events.ts";
import { createFailures } from "./failures.ts";
import type { Failure, FailureOptions } from "./failure-options.ts";
import type { MockApiOptions, PublishOptions } from "./mock-api-options.ts";
import { neverRespond } from "./never-respond.ts";
import { allOperations } from "./operations/all-operations.ts";
import { MockError } from "./mock-error.ts";
import { parseBaseUrl } from "./parse-url.ts";
import { systemRandomBytes } from "./random.ts";
import type { RecordedRequest } from "./recorded-request.ts";
import { createRecording } from "./recording.ts";
import { createRouteTable } from "./routing/route-table.ts";
import type { Seed, WebhookChange } from "./seed.ts";
import { applySeed } from "./seeding/apply-seed.ts";
import type { Session } from "./session.ts";
import { changeWebhook } from "./state/change-webhook.ts";
import { firstProject } from "./state/first-project.ts";
import { publishSample } from "./state/publish-sample.ts";
import { takeSnapshot } from "./state/snapshot.ts";
import type { MockState } from "./state/snapshot.ts";
import { createWorld } from "./state/world.ts";
import type { World } from "./state/world.ts";
import { toRequest } from "./to-request.ts";
import { toUrlPattern } from "./to-url-pattern.ts";

/** By the name of an event: the fields that replace those of its sample. */
type KnownChanges<Own extends OwnEvents> = {
  readonly [Name in EventName]: Partial<EventData[Name]>;
} & { readonly [Name in keyof Own]: Partial<OwnEventInput<Own[Name]>> };

/** By the name of an event: the body of its deliveries. */
type KnownBodies<Own extends OwnEvents> = { readonly [Name in EventName]: DeliveryBody<Name> } & {
  readonly [Name in keyof Own]: OwnDeliveryBody<Own, Name>;
};

/** A stateful fake of the API under `/v1`, for one account. It sends no requests itself. */
export interface MockApi<Own extends OwnEvents = NoOwnEvents> {
  readonly baseUrl: string;
  readonly apiKey: string;
  /** The handlers for `setupServer` and `setupWorker` of msw. */
  readonly handlers: readonly HttpHandler[];
  /**
   * Answers requests without msw, for programs that accept a `fetch`. It checks only the path of the URL, not
   * the origin.
   *
   * @throws TypeError for a planned `network_error`
   */
  readonly fetch: (input: string | URL | Request, init?: RequestInit) => Promise<Response>;
  /** The received requests in order. */
  readonly requests: readonly RecordedRequest[];
  readonly state: MockState;
  /**
   * Adds a seed to the state, or nothing if any of it is invalid. Omitted fields of existing accounts, sites
   * and lists stay.
   *
   * @throws HookwrightError with the error of the service
   * @throws MockError `invalid_seed`, `no_project`
   */
  add(seed: Seed<Own>): void;
  /**
   * Publishes an event like the host. It stores the record and its contact. For each matching webhook a
   * delivery becomes due, the first time for this event and record.
   *
   * The record is the stored one with this id, or else the event's sample, with `data` over it. Without an
   * `id` it is the same record each time.
   *
   * @throws HookwrightError `validation_failed`, `unknown_event`
   * @throws MockError `no_project`
   */
  publish<Name extends KnownEventName<Own>>(
    event: Name,
    data?: KnownChanges<Own>[Name],
    options?: PublishOptions,
  ): KnownBodies<Own>[Name];
  /** Signs and returns the deliveries that became due since the last call. The mock does not send them. */
  takeDeliveries(): Promise<readonly TakenDelivery<Own>[]>;
  /**
   * Changes a webhook as deliveries or the owner do. @throws HookwrightError `resource_not_found`,
   * `validation_failed`
   */
  changeWebhook(id: string, change: WebhookChange): void;
  /** Revokes the key: it becomes `invalid_api_key`, and the webhooks that it created are removed. */
  revokeApiKey(): void;
  /**
   * Makes the next requests fail before any check. Several failures are used in order. @throws MockError
   * `invalid_failure`
   */
  failNext(failure: Failure, options?: FailureOptions): void;
  /**
   * Restores the seed and clears requests, failures and deliveries. Running requests belong to the old state.
   */
  reset(): void;
}

const defaultProject = { id: "site_1", name: "Main street shop", timezone: "Europe/London" };

/**
 * Creates a fake of the API for tests of programs that call it. It uses the service's schemas, rules and
 * error codes.
 *
 * @throws MockError `invalid_url`, `invalid_api_key`, `invalid_events`, `invalid_seed`, `no_project`
 * @throws HookwrightError if the service would reject the seed
 * @example
 * const api = mockApi({ baseUrl: "https://api.example.com", seed: { events: [{ event: "order.paid" }] } });
 * const server = setupServer(...api.handlers);
 */
export function mockApi<const Own extends OwnEvents = NoOwnEvents>({
  baseUrl,
  apiKey = "hwk_mock",
  seed = {},
  events,
  now = () => Date.now(),
  randomBytes = systemRandomBytes,
}: MockApiOptions<Own>): MockApi<Own> {
  const { origin, basePath } = parseBaseUrl(baseUrl);
  const empty = { now, randomBytes, apiKey: parseApiKey(apiKey), events: createMockEvents(events) };
  const match = createRouteTable(allOperations);
  const open = (): Session => ({
    world: applySeed(createWorld(empty), { ...seed, projects: seed.projects ?? [defaultProject] }),
    failures: createFailures(),
    requests: createRecording(),
  });
  let current = open();

  function publish<Name extends KnownEventName<Own>>(
    event: Name,
    data?: object,
    options?: PublishOptions,
  ): KnownBodies<Own>[Name];
  function publish(event: string, data?: object, { projectId }: PublishOptions = {}): unknown {
    const { world } = current;
    return publishSample(world, { event, data, projectId: firstProject(world, projectId) });
  }

  const reply = (request: Request) => answerRequest({ session: current, match, basePath }, request);

  return {
    baseUrl: origin + basePath,
    apiKey,
    handlers: [
      http.all(toUrlPattern(origin + basePath, "/v1/"), async ({ request }) => {
        const answer = await reply(request);
        if (answer === "network_error") return Response.error();
        // The client has gone, so the response does not matter. msw would log a rejection as an error.
        return answer === "no_answer" ? neverRespond(request).catch(() => Response.error()) : answer;
      }),
    ],
    fetch: async (input, init) => {
      const request = toRequest(input, init);
      const answer = await reply(request);
      if (answer === "network_error")
        throw new TypeError("The mock was configured to fail with network_error.");
      return answer === "no_answer" ? neverRespond(request) : answer;
    },
    get requests() {
      return current.requests.all;
    },
    get state() {
      return takeSnapshot(current.world);
    },
    add(more) {
      current.world = applySeed(current.world, more);
    },
    publish,
    takeDeliveries: () => takeDeliveries(current.world),
    changeWebhook: (id, change) => changeWebhook(current.world, id, change),
    revokeApiKey: () => revokeApiKey(current.world, apiKey),
    failNext: (failure, options) => current.failures.add(failure, options),
    reset() {
      current = open();
    },
  };
}

/** @throws MockError `invalid_api_key` */
function parseApiKey(apiKey: string): string {
  if (/^[\x21-\x7e]+$/.test(apiKey)) return apiKey;
  throw new MockError("invalid_api_key", "apiKey must be visible ASCII characters without spaces.");
}

/** Removes a key and the webhooks that it created. */
function revokeApiKey({ apiKeys, webhooks }: World, apiKey: string): void {
  apiKeys.delete(apiKey);
  for (const { id, apiKey: creator } of webhooks.values()) if (creator === apiKey) webhooks.delete(id);
}
