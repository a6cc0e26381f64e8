import type { Answer, Transport } from "@hookwright/delivery";
import { answered, noAnswer } from "../../../delivery/test/support/fake-transport.ts";
import type { Network } from "./network.ts";

/** `lost`: the endpoint accepts the request, but its response is lost. */
export const behaviours = ["accepts", "accepts slowly", "fails", "hangs", "gone", "lost"] as const;
export type Behaviour = (typeof behaviours)[number];

/** One request as the endpoint received it. */
export interface Arrival {
  readonly deliveryId: string;
  readonly targetUrl: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  readonly processId: string;
  /** When the process sent it. */
  readonly sentAt: number;
  /** When the process should have received the response. Undefined if it received none. */
  answeredAt: number | undefined;
  readonly behaviour: Behaviour;
}

export interface Endpoints {
  readonly arrivals: Arrival[];
  behave(endpoint: number, behaviour: Behaviour): void;
  /** The transport of a process. `awake` resolves when the process resumes, and never after its death. */
  transportOf(processId: string, awake: () => Promise<void>): Transport;
}

export const endpointCount = 4;
/** Its webhooks are ordered. */
export const orderedEndpoint = 3;

export function urlOf(endpoint: number): string {
  return `https://endpoint-${endpoint}.example.com/hooks`;
}

export function createEndpoints(network: Network): Endpoints {
  const { clock, travel, wait, between } = network;
  const arrivals: Arrival[] = [];
  const behaviourOf = new Map<string, Behaviour>();

  async function answer(behaviour: Behaviour): Promise<Answer> {
    if (behaviour === "hangs" || behaviour === "lost") {
      await wait(10_000);
      return noAnswer();
    }
    await wait(behaviour === "accepts slowly" ? between(1_100, 9_000) : between(1, 30));
    return answered({ accepts: 200, "accepts slowly": 204, fails: 500, gone: 410 }[behaviour]);
  }

  return {
    arrivals,
    behave: (endpoint, behaviour) => void behaviourOf.set(urlOf(endpoint), behaviour),
    transportOf: (processId, awake) => ({
      async send({ targetUrl, headerLines, body }) {
        const sentAt = clock.now();
        await travel();
        const headers = Object.fromEntries(
          headerLines
            .split("\r\n")
            .filter((line) => line !== "")
            .map((line) => line.split(": ", 2))
            .map(([name = "", value = ""]) => [name.toLowerCase(), value]),
        );
        const behaviour = behaviourOf.get(targetUrl) ?? "accepts";
        const arrival: Arrival = {
          deliveryId: headers["x-service-delivery"] ?? "",
          targetUrl,
          headers,
          body,
          processId,
          sentAt,
          answeredAt: undefined,
          behaviour,
        };
        arrivals.push(arrival);
        const given = await answer(behaviour);
        await travel();
        await awake();
        arrival.answeredAt = clock.now();
        return given;
      },
      async close() {},
      async [Symbol.asyncDispose]() {},
    }),
  };
}
