import { expect, it } from "vitest";
import { openService } from "./support/open-service.ts";
import { useQuickScrypt } from "./support/quick-scrypt.ts";

const derive = useQuickScrypt();
const email = "owner@example.com";
const password = "correct horse battery";
const attackers = 80;

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

it.each([
  [20, "IPv4 networks", (number: number) => `8.8.${number}.1`],
  [64, "IPv4 networks", (number: number) => `8.8.${number}.1`],
  [64, "IPv6 networks of one site", (number: number) => `2606:4700:0:${number}::1`],
  [20, "private networks behind no trusted proxy", (number: number) => `10.0.${number}.1`],
])(
  "a sign-in from a network without failures waits for one check while %d %s flood wrong ones",
  async (networks, _, addressOf) => {
    const { service } = openService();
    await service.accounts.put("acc_1", { email, password });
    let isOver = false;
    let guesses = 0;
    const loops = Array.from({ length: attackers }, async (__, loop) => {
      while (!isOver) {
        const guess = { email: `nobody${guesses++}@example.com`, password: "wrong" };
        await service.sessions.create(guess, { clientAddress: addressOf(loop % networks) }).catch(turn);
      }
    });
    const signIn = (clientAddress: string): Promise<number> => {
      const before = derive.mock.calls.length;
      return service.sessions
        .create({ email, password }, { clientAddress })
        .then(() => derive.mock.calls.length - before);
    };
    const start = derive.mock.calls.length;
    await turn();
    // No guess has failed yet, so all networks look the same.
    const derivations = [await signIn(addressOf(200))];
    while (derive.mock.calls.length < start + attackers) await turn();
    for (const network of [201, 202]) derivations.push(await signIn(addressOf(network)));
    isOver = true;
    await Promise.all(loops);
    // The running check ends, then its own runs, and the next may have started.
    expect(Math.max(...derivations)).toBeLessThanOrEqual(3);
  },
);
