import { compareServerSecret, isBoundToServerSecret } from "hookwright";
import type { ServerSecretMatch } from "hookwright";
import { findPreviousSecrets, findServerSecret } from "../server-secret.ts";
import type { StoredSecretOptions } from "../server-secret.ts";
import { failed, ok } from "./check.ts";
import type { Finding } from "./check.ts";

/** Whether the server secret opens the stored values. It changes no data. */
export async function checkSecret(options: StoredSecretOptions): Promise<Finding> {
  const { store } = options;
  const secret = await findServerSecret(options);
  if (secret === undefined) {
    return (await isBoundToServerSecret(store))
      ? failed(
          "the data is encrypted with a server secret, but there is none",
          "Put the file `secret` back into the data directory (a backup has it), or set HOOKWRIGHT_SECRET to the original secret.",
        )
      : ok("there is none yet. A server creates it at its first start");
  }
  const name = options.given === undefined ? "the file `secret`" : "HOOKWRIGHT_SECRET";
  const previousSecrets = await findPreviousSecrets(secret, options);
  const length = `${name} has ${secret.length} characters`;
  const alone = await compareServerSecret({ store, secret });
  if (alone === "unused") return ok(`${length}. Nothing is encrypted yet`);
  const match =
    previousSecrets.length === 0 ? alone : await compareServerSecret({ store, secret, previousSecrets });
  if (match === "same" && alone === "same")
    return ok(
      previousSecrets.length === 0
        ? `${length} and opens the stored values`
        : `${length} and opens the stored values. The previous secret is no longer needed`,
    );
  if (match === "same")
    return ok(`${length}. The previous secret is still in use: \`hookwright rotate-secret\` ends that`);
  return failed(`${length}, and ${problems[match].problem}`, problems[match].fix);
}

const problems: Readonly<
  Record<Exclude<ServerSecretMatch, "same">, { readonly problem: string; readonly fix: string }>
> = {
  unused: { problem: "nothing is encrypted yet", fix: "" },
  other: {
    problem: "does not open the stored values",
    fix: "Set it to the secret that the data was written with.",
  },
  rotating: {
    problem: "the data is being moved from one secret to another, of which one is missing",
    fix: "Set HOOKWRIGHT_SECRET_PREVIOUS to the other one, then complete `hookwright rotate-secret`.",
  },
  unknown_format: {
    problem: "the check value was written by a later version",
    fix: "Use the version that wrote the data.",
  },
};
