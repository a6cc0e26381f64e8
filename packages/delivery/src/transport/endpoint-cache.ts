import type { Endpoint } from "./endpoint.ts";
import { toEndpoint } from "./endpoint.ts";
import { parseTargetUrl } from "./target-url.ts";
import type { TargetPolicy } from "./target-url.ts";

export type EndpointVerdict =
  | { readonly ok: true; readonly endpoint: Endpoint }
  | { readonly ok: false; readonly reason: string };

/** Together a few megabytes, whatever URLs there are. */
const maximumEndpoints = 10_000;
const maximumCachedUrlLength = 256;

/**
 * Takes a `target_url` apart once, not at every attempt. It is judged again here, although it was when the webhook was
 * made: the policy may have changed since.
 */
export function createEndpointCache(policy: TargetPolicy): (targetUrl: string) => EndpointVerdict {
  const known = new Map<string, EndpointVerdict>();
  return (targetUrl) => {
    const cached = known.get(targetUrl);
    if (cached !== undefined) return cached;
    const verdict = parseTargetUrl(targetUrl, policy);
    if (!verdict.ok) return verdict;
    const fresh: EndpointVerdict = { ok: true, endpoint: toEndpoint(verdict.url) };
    if (targetUrl.length > maximumCachedUrlLength) return fresh;
    if (known.size >= maximumEndpoints) known.clear();
    known.set(targetUrl, fresh);
    return fresh;
  };
}
