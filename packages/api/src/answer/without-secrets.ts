/** An API key, a console token or a signing secret, by what it begins with: the letter before that may be the end of `%0A`. */
const secrets = /(hwk_|hwc_|whsec_)[\w-]{8,}/gu;
/** Hardly any path has one. */
const hint = /hwk_|hwc_|whsec_/u;

/**
 * A path as logs may hold it. Where an id belongs people put a secret by mistake, and logs are read by more than may have it.
 *
 * @example withoutSecrets("/v1/webhooks/whsec_4fGaX0Bk") // "/v1/webhooks/whsec_***"
 */
export function withoutSecrets(path: string): string {
  return hint.test(path) ? path.replace(secrets, "$1***") : path;
}
