/** An API key, a console token or a signing secret, by its prefix. A letter may stand before it, such as the end of `%0A`. */
const secrets = /(hwk_|hwc_|whsec_)[\w-]{8,}/gu;
/** A quick test, because hardly any path contains a secret. */
const hint = /hwk_|hwc_|whsec_/u;

/**
 * A path without secrets, for logs. People put a secret where an id belongs by mistake, and many people may read logs.
 *
 * @example withoutSecrets("/v1/webhooks/whsec_4fGaX0Bk") // "/v1/webhooks/whsec_***"
 */
export function withoutSecrets(path: string): string {
  return hint.test(path) ? path.replace(secrets, "$1***") : path;
}
