import { ConfigurationError } from "@hookwright/domain";
import type { OptionProblem } from "@hookwright/domain";
import { bindServerSecret } from "@hookwright/service";
import type { ServerSecretMatch, ServerSecretOptions } from "@hookwright/service";

/**
 * Checks the server secret against the store's data. With another secret, every delivery would fail.
 *
 * @throws ConfigurationError `invalid_option`
 */
export async function bindSecret(options: ServerSecretOptions): Promise<void> {
  const problem = findSecretProblem(await bindServerSecret(options));
  if (problem !== undefined) throw new ConfigurationError(problem);
}

const problems: Readonly<Partial<Record<ServerSecretMatch, OptionProblem>>> = {
  other: {
    option: "secret",
    message:
      "is not the secret that the data in this store was written with, so the stored signing secrets cannot be decrypted. Start with the original secret, or use an empty store",
  },
  rotating: {
    option: "previousSecrets",
    message:
      "must have the other secret of the rotation that is not complete. Start with both secrets, or run the rotation again until it ends",
  },
  unknown_format: {
    option: "store",
    message:
      "holds a check value of the server secret that this version cannot read. Start the later version that wrote it, or restore a backup",
  },
};

/** Undefined: the secret can be used. */
export function findSecretProblem(match: ServerSecretMatch): OptionProblem | undefined {
  return problems[match];
}
