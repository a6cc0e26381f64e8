import { compareServerSecret } from "hookwright";
import { examineServerSecrets } from "../server-secret.ts";
import type { StoredSecretOptions } from "../server-secret.ts";
import { ok } from "./check.ts";
import type { Finding } from "./check.ts";

/**
 * Whether the server secret opens the stored values. It changes no data.
 *
 * @throws {ServerError} as a server at its start
 */
export async function checkSecret(options: StoredSecretOptions): Promise<Finding> {
  const { store, given } = options;
  const secrets = await examineServerSecrets(options);
  if (secrets === undefined) return ok("there is none yet. A server creates it at its first start");
  const { secret, previousSecrets } = secrets;
  const length = `${given === undefined ? "the file `secret`" : "HOOKWRIGHT_SECRET"} has ${secret.length} characters`;
  const alone = await compareServerSecret({ store, secret });
  if (alone === "unused") return ok(`${length}. Nothing is encrypted yet`);
  if (alone !== "same")
    return ok(`${length}. The previous secret is still in use: \`hookwright rotate-secret\` ends that`);
  const previous = previousSecrets.length === 0 ? "" : ". The previous secret is no longer needed";
  return ok(`${length} and opens the stored values${previous}`);
}
