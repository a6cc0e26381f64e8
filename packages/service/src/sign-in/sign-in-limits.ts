import type { ServiceContext } from "../context.ts";
import type { ClientAddress } from "../use-cases.ts";
import { toClientNetwork } from "./client-network.ts";
import { createNetworkThrottle } from "./network-throttle.ts";
import type { NetworkThrottle } from "./network-throttle.ts";
import { createPasswordQueue } from "./password-queue.ts";
import type { PasswordQueue } from "./password-queue.ts";
import { createSignInThrottle } from "./sign-in-throttle.ts";

/** A check takes 0.1 s, so the last check of a single network waits three seconds. */
const maximumOfNetwork = 32;
const maximumWaiting = 64;
/** A person does not wait longer, and tries again. */
const maximumWaitMs = 10_000;

/** The limits of everything that checks a password. */
export interface SignInLimits {
  readonly networks: NetworkThrottle;
  readonly queue: PasswordQueue;
  /**
   * Runs a check of a password when it is its turn.
   *
   * @param check returns undefined if the password is wrong, which counts as a failed sign-in
   * @throws HookwrightError `rate_limited`
   */
  run<Found>(
    of: { readonly email: string; readonly client: ClientAddress },
    check: () => Promise<Found | undefined>,
  ): Promise<Found | undefined>;
}

export function createSignInLimits({
  store,
  now,
  onFailedAuthentication,
}: Pick<ServiceContext, "store" | "now" | "onFailedAuthentication">): SignInLimits {
  const throttle = createSignInThrottle({ store, now });
  const networks = createNetworkThrottle({ now });
  const { failuresOf } = networks;
  const queue = createPasswordQueue({ maximumWaiting, maximumOfNetwork, maximumWaitMs, failuresOf, now });

  return {
    networks,
    queue,
    async run({ email, client }, check) {
      const network = toClientNetwork(client.clientAddress);
      // Refuse throttled clients before they enter the queue.
      networks.check(client);
      await throttle.check(email, network);
      return queue.run({ network, email }, async () => {
        const uncountOfNetwork = networks.take(client);
        try {
          const uncount = await throttle.take(email, network);
          const found = await check().catch(async (error: unknown) => {
            await uncount();
            throw error;
          });
          if (found === undefined) {
            onFailedAuthentication?.({ credential: "password", network });
            return undefined;
          }
          await uncount();
          uncountOfNetwork();
          return found;
        } catch (error) {
          // Not a wrong password: the address is throttled, or the store failed.
          uncountOfNetwork();
          throw error;
        }
      });
    },
  };
}
