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
import { checkSeed } from "./check-seed.ts";
import { takeDeliveries } from "./delivery/take-deliveries.ts";
import type { TakenDelivery } from "./delivery/take-deliveries.ts";
import { expectHeaderPrefix } from "./expect-header-prefix.ts";
import { createFailures } from "./failures.ts";
import type { Failure, FailureOptions } from "./failure-options.ts";
import { addSeed } from "./instance/add-seed.ts";
import { changeWebhook } from "./instance/change-webhook.ts";
import { openInstance } from "./instance/instance.ts";
import { publishSample } from "./instance/publish-sample.ts";
import { readState } from "./instance/read-state.ts";
import type { MockState } from "./instance/read-state.ts";
import type { MockApiOptions, PublishOptions } from "./mock-api-options.ts";
import { MockError } from "./mock-error.ts";
import { createMockEvents } from "./mock-events.ts";
import { neverRespond } from "./never-respond.ts";
import { parseBaseUrl } from "./parse-url.ts";
import type { RecordedRequest } from "./recorded-request.ts";
import { createRecording } from "./recording.ts";
import type { Seed, WebhookChange } from "./seed.ts";
import { inOrder } from "./session.ts";
import type { Session } from "./session.ts";
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

/**
 * The service behind the API under `/v1`, for one account and in memory. It sends no requests itself. Requests
 * wait for the calls before them.
 */
export interface MockApi<Own extends OwnEvents = NoOwnEvents> {
  readonly baseUrl: string;
  readonly apiKey: string;
  /** The handlers for `setupServer` of msw. */
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
  /** Returns a copy of the data. */
  state(): Promise<MockState>;
  /**
   * Adds a seed by the functions of the host, row by row. Omitted fields of existing accounts, sites and lists
   * stay.
   *
   * @throws HookwrightError with the error of the service
   * @throws MockError `invalid_seed`, `no_project`
   */
  add(seed: Seed<Own>): Promise<void>;
  /**
   * Publishes an event like the host. It stores the record and its contact. For each matching webhook a
   * delivery becomes due, the first time for this event and record.
   *
   * The record is the one that was published with this id, or else the event's sample, with `data` over it.
   * Without an `id` it is the same record each time.
   *
   * @throws HookwrightError `validation_failed`, `unknown_event`
   * @throws MockError `no_project`
   */
  publish<Name extends KnownEventName<Own>>(
    event: Name,
    data?: KnownChanges<Own>[Name],
    options?: PublishOptions,
  ): Promise<KnownBodies<Own>[Name]>;
  /** Signs and returns the deliveries that became due since the last call. The mock does not send them. */
  takeDeliveries(): Promise<readonly TakenDelivery<Own>[]>;
  /** Changes a webhook as failures or the owner do. @throws HookwrightError `resource_not_found` */
  changeWebhook(id: string, change: WebhookChange): Promise<void>;
  /** Revokes the key: it becomes `invalid_api_key`, and the webhooks that it created are removed. */
  revokeApiKey(): Promise<void>;
  /**
   * Makes the next requests with a known path fail before any check. Several failures are used in order. @throws MockError
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
 * Creates the API for tests of programs that call it: the real service, over a store in memory.
 *
 * If the service refuses the seed, each call and request rejects with its `HookwrightError`.
 *
 * @throws MockError `invalid_url`, `invalid_api_key`, `invalid_events`, `invalid_header_prefix`, `invalid_seed`
 * @example
 * const api = mockApi({ baseUrl: "https://api.example.com", seed: { events: [{ event: "order.paid" }] } });
 * const server = setupServer(...api.handlers);
 */
export function mockApi<const Own extends OwnEvents = NoOwnEvents>({
  baseUrl: givenUrl,
  apiKey: givenKey = "hwk_mock",
  seed = {},
  events: own,
  builtInEvents,
  headerPrefix,
  bodyForm,
  now = () => Date.now(),
  randomBytes,
}: MockApiOptions<Own>): MockApi<Own> {
  const { origin, basePath } = parseBaseUrl(givenUrl);
  const baseUrl = origin + basePath;
  const apiKey = parseApiKey(givenKey);
  expectHeaderPrefix(headerPrefix);
  const events = createMockEvents(own, builtInEvents);
  checkSeed(seed);
  const accountId = seed.account?.id ?? "acc_1";

  async function openSeeded() {
    const instance = await openInstance({
      accountId,
      apiKey,
      baseUrl,
      events,
      headerPrefix,
      bodyForm,
      now,
      randomBytes,
    });
    await addSeed(instance, { ...seed, projects: seed.projects ?? [defaultProject] });
    return instance;
  }
  function open(): Session {
    const opened = openSeeded();
    opened.catch(() => {});
    return { opened, calls: opened.catch(() => {}), failures: createFailures(), requests: createRecording() };
  }
  let current = open();

  function publish<Name extends KnownEventName<Own>>(
    event: Name,
    data?: object,
    options?: PublishOptions,
  ): Promise<KnownBodies<Own>[Name]>;
  function publish(event: string, data?: object, { projectId }: PublishOptions = {}): Promise<unknown> {
    return inOrder(current, (instance) => publishSample(instance, { event, data, project_id: projectId }));
  }

  return {
    baseUrl,
    apiKey,
    handlers: [
      http.all(toUrlPattern(baseUrl, "/v1/"), async ({ request }) => {
        const answer = await answerRequest(current, basePath, request);
        if (answer === "network_error") return Response.error();
        // The client has gone, so the response does not matter. msw would log a rejection as an error.
        return answer === "no_answer" ? neverRespond(request).catch(() => Response.error()) : answer;
      }),
    ],
    fetch: async (input, init) => {
      const request = toRequest(input, init);
      const answer = await answerRequest(current, basePath, request);
      if (answer === "network_error")
        throw new TypeError("The mock was configured to fail with network_error.");
      return answer === "no_answer" ? neverRespond(request) : answer;
    },
    get requests() {
      return current.requests.all;
    },
    state: () => inOrder(current, readState),
    async add(more) {
      checkSeed(more);
      await inOrder(current, (instance) => addSeed(instance, more));
    },
    publish,
    takeDeliveries: () => inOrder(current, (instance) => takeDeliveries<Own>(instance)),
    changeWebhook: (id, change) => inOrder(current, (instance) => changeWebhook(instance, id, change)),
    revokeApiKey: () =>
      inOrder(current, async ({ service, apiKeyId }) => void (await service.apiKeys.revoke(apiKeyId))),
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
