import { bindServerSecret } from "@hookwright/service";
import type { ServerSecretOptions } from "@hookwright/service";
import { ConfigurationError } from "@hookwright/domain";

/**
 * Checks the server secret against the store's data. With another secret, every delivery would fail.
 *
 * @throws ConfigurationError `invalid_option`
 */
export async function bindSecret(options: ServerSecretOptions): Promise<void> {
  const match = await bindServerSecret(options);
  if (match === "other") {
    throw new ConfigurationError({
      option: "secret",
      message:
        "is not the secret that the data in this store was written with, so the stored signing secrets cannot be decrypted. Start with the original secret, or use an empty store",
    });
  }
  if (match === "rotating") {
    throw new ConfigurationError({
      option: "previousSecrets",
      message:
        "must have the other secret of the rotation that is not complete. Start with both secrets, or run the rotation again until it ends",
    });
  }
  if (match === "unknown_format") {
    throw new ConfigurationError({
      option: "store",
      message:
        "holds a check value of the server secret that this version cannot read. Start the later version that wrote it, or restore a backup",
    });
  }
}
