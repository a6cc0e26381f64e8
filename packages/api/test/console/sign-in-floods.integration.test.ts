import { Agent, request } from "node:http";
import { platform } from "node:os";
import { describe, expect, it } from "vitest";
import { useQuickScrypt } from "../../../service/test/support/quick-scrypt.ts";
import { listen } from "../support/listen.ts";
import { openApi } from "../support/open-api.ts";

useQuickScrypt();

const password = "correct horse battery";
const victims = Array.from({ length: 20 }, (_, number) => `owner${number}@example.com`);
const attackers = 60;

/** A real server. Its clients use different addresses of the loopback network. */
async function openServer() {
  const { handler, options } = await openApi();
  for (const [number, email] of victims.entries())
    await options.service.accounts.put(`acc_victim_${number}`, { email, password });
  const server = await listen(handler);
  const agent = new Agent({ keepAlive: true });
  return {
    /** Tries a sign-in and returns the status. */
    signIn: (localAddress: string, email: string, guess: string): Promise<number> =>
      new Promise((resolve, reject) => {
        const body = JSON.stringify({ email, password: guess });
        request(
          {
            host: "127.0.0.1",
            port: server.port,
            method: "POST",
            path: "/console/api/session",
            localAddress,
            agent,
            headers: { "content-type": "application/json", "content-length": body.length },
          },
          (response) => {
            response.resume().on("end", () => resolve(response.statusCode ?? 0));
          },
        )
          .on("error", reject)
          .end(body);
      }),
    async [Symbol.asyncDispose]() {
      agent.destroy();
      await server[Symbol.asyncDispose]();
    },
  };
}

// Other systems have no second address in the loopback network.
describe.runIf(platform() === "linux")(
  "sixty clients that send wrong sign-ins from one address",
  { timeout: 90_000 },
  () => {
    it.each([
      ["for a different e-mail address each time", (attempt: number) => `nobody${attempt}@example.com`],
      ["for one e-mail address", () => "nobody@example.com"],
      ["for the e-mail address of a user who signs in", () => victims[7] ?? ""],
    ])("%s do not block sign-ins from other addresses", async (_, emailOf) => {
      await using server = await openServer();
      let attempts = 0;
      let isOver = false;
      const refused = { wrong: 0, limited: 0 };
      const loops = Array.from({ length: attackers }, async () => {
        while (!isOver) {
          const status = await server.signIn("127.0.0.1", emailOf(attempts++), "wrong");
          if (status === 429) refused.limited += 1;
          else refused.wrong += 1;
        }
      });
      await expect.poll(() => refused.limited).toBeGreaterThan(attackers);
      const statuses = await Promise.all(victims.map((email) => server.signIn("127.0.0.2", email, password)));
      isOver = true;
      await Promise.all(loops);
      expect(statuses).toEqual(victims.map(() => 200));
      expect(refused.wrong).toBeGreaterThan(0);
    });
  },
);
