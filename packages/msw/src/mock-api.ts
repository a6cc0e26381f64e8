import type { DeliveryBody, EventData, EventName } from "@hookwright/domain";
import { http } from "msw";
import type { HttpHandler } from "msw";
import { answerRequest } from "./answer-request.ts";
import { takeDeliveries } from "./delivery/take-deliveries.ts";
import type { TakenDelivery } from "./delivery/take-deliveries.ts";
import { createFailures } from "./failures.ts";
import type { Failure, FailureOptions } from "./failures.ts";
import type { MockApiOptions, PublishOptions } from "./mock-api-options.ts";
import { neverAnswer } from "./never-answer.ts";
import { allOperations } from "./operations/all-operations.ts";
import { parseUrl } from "./parse-url.ts";
import type { RecordedRequest } from "./recorded-request.ts";
import { createRouteTable } from "./routing/route-table.ts";
import type { Seed, WebhookChange } from "./seed.ts";
import { changeWebhook } from "./state/change-webhook.ts";
import { firstProject, plantSeed } from "./state/plant-seed.ts";
import { publishSample } from "./state/publish-sample.ts";
import { systemRandomBytes } from "./state/random.ts";
import { revokeApiKey } from "./state/revoke-api-key.ts";
import { takeSnapshot } from "./state/snapshot.ts";
import type { MockState } from "./state/snapshot.ts";
import { createWorld } from "./state/world.ts";
import type { World } from "./state/world.ts";
import { toRequest } from "./to-request.ts";

/** A stateful fake of the API under `/v1`, for one account. It sends nothing by itself. */
export interface MockApi {
  readonly baseUrl: string;
  readonly apiKey: string;
  /** For `setupServer` and `setupWorker` of msw. */
  readonly handlers: readonly HttpHandler[];
  /**
   * The same without msw, for programs that take a `fetch`.
   *
   * @throws TypeError where it was told to fail with `network_error`
   */
  readonly fetch: (input: RequestInfo | URL, init?: RequestInit) => Promise<Response>;
  /** What came in so far, in order. */
  readonly requests: readonly RecordedRequest[];
  readonly state: MockState;
  /**
   * Adds to what is there; an account's, a site's or a list's fields that are left out stay.
   *
   * @throws HookwrightError with what the service would refuse
   * @throws MockError `no_project`
   */
  add(seed: Seed): void;
  /**
   * Something happens on a site, as if the host had published it: the record is there, its customer is a contact, and a delivery
   * falls due for each webhook that listens. The record is the event's sample with `data` over it.
   *
   * @throws HookwrightError `validation_failed`
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
  /** Makes the next requests fail, ahead of every check. Several plans are used up in order. */
  failNext(failure: Failure, options?: FailureOptions): void;
  /** Back to the seed; requests, failures and deliveries are forgotten. */
  reset(): void;
}

const usualProject = { id: "site_1", name: "Main street shop", timezone: "Europe/London" };

/**
 * A fake of the API for the tests of programs that call it, by the service's own schemas, rules and error codes.
 *
 * @throws MockError `invalid_url`, `no_project`
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
  const { origin, pathname } = parseUrl(baseUrl, "baseUrl");
  const basePath = pathname.replace(/\/+$/, "");
  const match = createRouteTable(allOperations);
  const failures = createFailures();
  let requests: readonly RecordedRequest[] = [];
  const record = (request: RecordedRequest): void => {
    requests = [...requests, request];
  };
  const populate = (): World => {
    const fresh = createWorld({ now, randomBytes, apiKey });
    plantSeed(fresh, { ...seed, projects: seed.projects ?? [usualProject] });
    return fresh;
  };
  let world = populate();

  const reply = (request: Request) => answerRequest({ world, match, failures, basePath, record }, request);

  return {
    baseUrl: origin + basePath,
    apiKey,
    handlers: [
      http.all(`${origin}${basePath}/v1/*`, async ({ request }) => {
        const answer = await reply(request);
        if (answer === "network_error") return Response.error();
        // Whoever gave up does not hear this answer; a rejection would be a fault to msw, and told on the console.
        return answer === "no_answer" ? neverAnswer(request.signal).catch(() => Response.error()) : answer;
      }),
    ],
    fetch: async (input, init) => {
      const request = toRequest(input, init);
      const answer = await reply(request);
      if (answer === "network_error") throw new TypeError("The mock was told to fail with network_error.");
      return answer === "no_answer" ? neverAnswer(request.signal) : answer;
    },
    get requests() {
      return requests;
    },
    get state() {
      return takeSnapshot(world);
    },
    add: (more) => plantSeed(world, more),
    publish: (event, data, { projectId } = {}) =>
      publishSample(world, { event, data, projectId: firstProject(world, { project_id: projectId }) }),
    takeDeliveries: () => takeDeliveries(world),
    changeWebhook: (id, change) => changeWebhook(world, id, change),
    revokeApiKey: () => revokeApiKey(world, apiKey),
    failNext: (failure, options) => failures.add(failure, options),
    reset() {
      failures.clear();
      requests = [];
      world = populate();
    },
  };
}
