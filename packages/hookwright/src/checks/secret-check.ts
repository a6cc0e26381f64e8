import { ConfigurationError } from "@hookwright/domain";
import { compareServerSecret } from "@hookwright/service";
import type { ServerSecretOptions } from "@hookwright/service";
import { findSecretProblem } from "../options/bind-secret.ts";
import { failed, ok } from "./check.ts";
import type { CheckFinding } from "./check.ts";

/** Whether the server secret opens the stored values. It changes no data. */
export async function checkSecret(options: ServerSecretOptions, name: string): Promise<CheckFinding> {
  const { store, secret, previousSecrets = [] } = options;
  const problem = findSecretProblem(await compareServerSecret(options));
  if (problem !== undefined) return failed(`${new ConfigurationError(problem).message}.`);
  const length = `${name} has ${secret.length} characters`;
  const alone = await compareServerSecret({ store, secret });
  if (alone === "unused") return ok(`${length}. Nothing is encrypted yet`);
  if (alone !== "same")
    return ok(
      `${length}. The previous secret is still in use: \`hookwright rotate-secret\` (in a program \`rotateServerSecret\`) ends that`,
    );
  const previous = previousSecrets.length === 0 ? "" : ". The previous secret is no longer needed";
  return ok(`${length} and opens the stored values${previous}`);
}
