import { once } from "node:events";
import { createServer } from "node:http";
import type { Server } from "node:http";
import type { Store } from "@hookwright/storage";
import { createHookwright } from "hookwright";
import type { Hookwright } from "hookwright";
import { setTimeout as pause } from "node:timers/promises";
import { startProgram } from "./program.ts";
import { sampleOrder } from "./sample-order.ts";

/**
 * Which streams are read: none, the listeners of the accounts that publish, those of accounts that publish nothing, or open
 * consoles of the accounts that publish.
 */
export type Readers = "none" | "own" | "others" | "consoles";

export interface Round {
  readonly deliveriesPerSecond: number;
  /** CPU time of this process for one delivery, in microseconds, until the readers have all events. It includes the receiver. */
  readonly cpuPerDeliveryUs: number;
  /** Events that the readers got. */
  readonly streamed: number;
}

export interface ListenerLoad extends AsyncDisposable {
  /** Publishes this many orders and waits until all of them are delivered to webhooks. */
  play(readers: Readers, orders: number): Promise<Round>;
}

export const accounts = 10;
/** As many as an account may have. */
export const listenersOfAccount = 10;
/** As many as an account may have in one process. */
export const consolesOfAccount = 20;
const publishesAtOnce = 32;

export async function listen(server: Server): Promise<string> {
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("the server has no port");
  return `http://127.0.0.1:${address.port}`;
}

export function close(server: Server): void {
  server.close();
  server.closeAllConnections();
}

/** Adds an account with one site. Returns an API key. */
export async function addAccount(hookwright: Hookwright, name: string): Promise<string> {
  await hookwright.accounts.put(`acc_${name}`, { email: `${name}@example.com` });
  await hookwright.projects.put(`site_${name}`, { account_id: `acc_${name}`, name });
  return (await hookwright.apiKeys.create(`acc_${name}`, { name: "bench" })).api_key;
}

async function signIn(hookwright: Hookwright, name: string): Promise<string> {
  const [email, password] = [`${name}@example.com`, "correct horse battery"];
  await hookwright.accounts.put(`acc_${name}`, { email, password });
  return (await hookwright.sessions.create({ email, password })).token;
}

export async function createListener(origin: string, token: string): Promise<string> {
  const response = await fetch(`${origin}/developer/v1/listeners`, {
    method: "POST",
    headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
    body: "{}",
  });
  if (response.status !== 201) throw new Error(`a new listener got ${response.status}`);
  const { data }: { readonly data: { readonly id: string } } = await response.json();
  return data.id;
}

/** A stream as its path and its token. */
function toListenerStream(id: string, token: string): string {
  return `/developer/v1/listeners/${id}/events ${token}`;
}

async function deleteListener(origin: string, stream: string): Promise<void> {
  const [path = "", token] = stream.split(" ");
  const response = await fetch(origin + path.replace(/\/events$/u, ""), {
    method: "DELETE",
    headers: { authorization: `Bearer ${token}` },
  });
  await response.arrayBuffer();
  if (!response.ok) throw new Error(`the removal of a listener got ${response.status}`);
}

/** One server whose accounts publish to one webhook each. Listeners exist only during the rounds that read them. */
export async function openListenerLoad(store: Store): Promise<ListenerLoad> {
  let received = 0;
  let expected = 0;
  let finished = (): void => {};
  const receiver = createServer((incoming, outgoing) => {
    incoming.resume().on("end", () => {
      outgoing.writeHead(204).end();
      received += 1;
      if (received === expected) finished();
    });
  });
  const target = await listen(receiver);
  const hookwright = await createHookwright({ store, secret: "s".repeat(32), privateTargets: true });
  const server = createServer(hookwright.handler);
  const origin = await listen(server);
  const tokens: Record<Readers, string[]> = { none: [], own: [], others: [], consoles: [] };
  for (let number = 0; number < accounts; number++) {
    tokens.own.push(await addAccount(hookwright, String(number)));
    tokens.consoles.push(await signIn(hookwright, String(number)));
    tokens.others.push(await addAccount(hookwright, `other_${number}`));
    await hookwright.webhooks.create(
      { accountId: `acc_${number}`, credential: { type: "console" } },
      { event: "order.created", target_url: `${target}/` },
    );
  }
  let number = 0;

  /** @param drain waits for the readers, and returns how many events they got */
  async function measure(orders: number, drain: () => Promise<number>): Promise<Round> {
    expected = received + orders;
    const done = new Promise<void>((resolve) => (finished = resolve));
    const end = number + orders;
    const start = performance.now();
    const before = process.cpuUsage();
    const publishNext = async (): Promise<void> => {
      while (number < end) {
        const data = sampleOrder(number++);
        const project_id = `site_${number % accounts}`;
        await hookwright.publish({ event: "order.created", project_id, data });
      }
    };
    await Promise.all(Array.from({ length: publishesAtOnce }, publishNext));
    await done;
    const seconds = (performance.now() - start) / 1_000;
    const streamed = await drain();
    const { user, system } = process.cpuUsage(before);
    return {
      deliveriesPerSecond: orders / seconds,
      cpuPerDeliveryUs: (user + system) / orders,
      streamed,
    };
  }

  async function createStreams(readers: Readers): Promise<string[]> {
    if (readers === "consoles")
      return tokens.consoles.flatMap((token) =>
        Array.from({ length: consolesOfAccount }, () => `/console/api/events ${token}`),
      );
    const streams: string[] = [];
    for (const token of tokens[readers])
      for (let each = 0; each < listenersOfAccount; each++)
        streams.push(toListenerStream(await createListener(origin, token), token));
    return streams;
  }

  return {
    async play(readers, orders) {
      const streams = await createStreams(readers);
      if (streams.length === 0) return measure(orders, () => Promise.resolve(0));
      await using program = startProgram(new URL("stream-readers.ts", import.meta.url), {
        args: [origin, ...streams],
      });
      await program.nextMessage();
      const round = await measure(orders, async () => {
        let total = 0;
        for (let quiet = 0; quiet < 5; quiet++) {
          await pause(100);
          const more = Number(await program.request("count"));
          if (more > 0) quiet = 0;
          total += more;
        }
        return total;
      });
      if (readers !== "consoles") for (const stream of streams) await deleteListener(origin, stream);
      return round;
    },
    async [Symbol.asyncDispose]() {
      close(server);
      await hookwright.close();
      close(receiver);
    },
  };
}
