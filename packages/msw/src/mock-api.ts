import type { DeliveryBody, EventData, EventName } from "@hookwright/domain";
import { http } from "msw";
import type { HttpHandler } from "msw";
import { answerRequest } from "./answer-request.ts";
import { takeDeliveries } from "./delivery/take-deliveries.ts";
import type { TakenDelivery } from "./delivery/take-deliveries.ts";
import { createFailures } from "./failures.ts";
import type { Failure, FailureOptions } from "./failure-options.ts";
import type { MockApiOptions, PublishOptions } from "./mock-api-options.ts";
import { neverAnswer } from "./never-answer.ts";
import { allOperations } from "./operations/all-operations.ts";
import { parseApiKey } from "./parse-api-key.ts";
import { parseBaseUrl } from "./parse-url.ts";
import { systemRandomBytes } from "./random.ts";
import type { RecordedRequest } from "./recorded-request.ts";
import { createRecording } from "./recording.ts";
import { createRouteTable } from "./routing/route-table.ts";
import type { Seed, WebhookChange } from "./seed.ts";
import { plantSeed } from "./seeding/plant-seed.ts";
import type { Session } from "./session.ts";
import { changeWebhook } from "./state/change-webhook.ts";
import { firstProject } from "./state/first-project.ts";
import { publishSample } from "./state/publish-sample.ts";
import { revokeApiKey } from "./state/revoke-api-key.ts";
import { takeSnapshot } from "./state/snapshot.ts";
import type { MockState } from "./state/snapshot.ts";
import { createWorld } from "./state/world.ts";
import { toRequest } from "./to-request.ts";
import { toUrlPattern } from "./to-url-pattern.ts";

/** A stateful fake of the API under `/v1`, for one account. It sends nothing by itself. */
export interface MockApi {
  readonly baseUrl: string;
  readonly apiKey: string;
  /** For `setupServer` and `setupWorker` of msw. */
  readonly handlers: readonly HttpHandler[];
  /**
   * The same without msw, for programs that take a `fetch`. Of the URL the path alone is looked at: any origin is answered.
   *
   * @throws TypeError where it was told to fail with `network_error`
   */
  readonly fetch: (input: string | URL | Request, init?: RequestInit) => Promise<Response>;
  /** What came in so far, in order. */
  readonly requests: readonly RecordedRequest[];
  readonly state: MockState;
  /**
   * Adds to what is there, or nothing at all where any of it is refused; an account's, a site's or a list's fields that are left
   * out stay.
   *
   * @throws HookwrightError with what the service would refuse
   * @throws MockError `invalid_seed`, `no_project`
   */
  add(seed: Seed): void;
  /**
   * Something happens on a site, as if the host had published it: the record is there, its customer is a contact, and a delivery
   * falls due for each webhook that listens, the first time for this event and record. The record is the event's sample, or what is
   * there by its id already, with `data` over it; so without an `id` it is the same record each time.
   *
   * @throws HookwrightError `validation_failed`, `unknown_event`
   * @throws MockError `no_project`
   */
  publish<Name extends EventName>(
    event: Name,
    data?: Partial<EventData[Name]>,
    options?: PublishOptions,
  ): DeliveryBody<Name>;
  /** The deliveries that fell due since the last call, signed now. Nobody else sends them. */
  takeDeliveries(): Promise<readonly TakenDelivery[]>;
  /** As deliveries or the owner change a webhook. @throws HookwrightError `resource_not_found`, `validation_failed` */
  changeWebhook(id: string, change: WebhookChange): void;
  /** From now on the key is `invalid_api_key`, and the webhooks it created are gone. */
  revokeApiKey(): void;
  /** Makes the next requests fail, ahead of every check. Several plans are used up in order. @throws MockError `invalid_failure` */
  failNext(failure: Failure, options?: FailureOptions): void;
  /** Back to the seed; requests, failures and deliveries are forgotten, and what is on its way here belongs to the time before. */
  reset(): void;
}

const usualProject = { id: "site_1", name: "Main street shop", timezone: "Europe/London" };

/**
 * A fake of the API for the tests of programs that call it, by the service's own schemas, rules and error codes.
 *
 * @throws MockError `invalid_url`, `invalid_api_key`, `invalid_seed`, `no_project`
 * @throws HookwrightError where the seed has what the service would refuse
 * @example
 * const api = mockApi({ baseUrl: "https://api.example.com", seed: { events: [{ event: "order.paid" }] } });
 * const server = setupServer(...api.handlers);
 */
export function mockApi({
  baseUrl,
  apiKey = "hwk_mock",
  seed = {},
  now = () => Date.now(),
  randomBytes = systemRandomBytes,
}: MockApiOptions): MockApi {
  const { origin, basePath } = parseBaseUrl(baseUrl);
  const empty = { now, randomBytes, apiKey: parseApiKey(apiKey) };
  const match = createRouteTable(allOperations);
  const open = (): Session => ({
    world: plantSeed(createWorld(empty), { ...seed, projects: seed.projects ?? [usualProject] }),
    failures: createFailures(),
    requests: createRecording(),
  });
  let current = open();

  const reply = (request: Request) => answerRequest({ session: current, match, basePath }, request);

  return {
    baseUrl: origin + basePath,
    apiKey,
    handlers: [
      http.all(toUrlPattern(origin + basePath, "/v1/"), async ({ request }) => {
        const answer = await reply(request);
        if (answer === "network_error") return Response.error();
        // Whoever gave up does not hear this answer; a rejection would be a fault to msw, and told on the console.
        return answer === "no_answer" ? neverAnswer(request).catch(() => Response.error()) : answer;
      }),
    ],
    fetch: async (input, init) => {
      const request = toRequest(input, init);
      const answer = await reply(request);
      if (answer === "network_error") throw new TypeError("The mock was told to fail with network_error.");
      return answer === "no_answer" ? neverAnswer(request) : answer;
    },
    get requests() {
      return current.requests.all;
    },
    get state() {
      return takeSnapshot(current.world);
    },
    add(more) {
      current.world = plantSeed(current.world, more);
    },
    publish(event, data, { projectId } = {}) {
      const { world } = current;
      return publishSample(world, { event, data, projectId: firstProject(world, projectId) });
    },
    takeDeliveries: () => takeDeliveries(current.world),
    changeWebhook: (id, change) => changeWebhook(current.world, id, change),
    revokeApiKey: () => revokeApiKey(current.world, apiKey),
    failNext: (failure, options) => current.failures.add(failure, options),
    reset() {
      current = open();
    },
  };
}
