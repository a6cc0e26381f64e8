import type { LogCode, WriteLogLine } from "@hookwright/domain";
import type { FailedAuthentication } from "@hookwright/service";

export interface FailedAuthenticationsOptions {
  readonly log: WriteLogLine;
  /** Milliseconds, monotonic. */
  readonly now: () => number;
  /** Counts each failure. */
  readonly onCounted: (failure: FailedAuthentication) => void;
}

const codes = {
  password: "sign_in_failed",
  console_link: "console_link_refused",
  host_token: "host_token_refused",
  metrics_token: "metrics_token_refused",
} as const satisfies Record<FailedAuthentication["credential"], LogCode>;

const windowMs = 60_000;
const maximumNetworks = 10_000;

/**
 * Logs and counts refused credentials. A network has a line for its 1st, 10th, 100th … failure of a minute, so that an attack shows its
 * size and cannot fill the log.
 */
export function createFailedAuthentications(
  options: FailedAuthenticationsOptions,
): (failure: FailedAuthentication) => void {
  const { log, now, onCounted } = options;
  /** The windows by code and network. The first one is the oldest. */
  const windows = new Map<string, { readonly startedAt: number; failures: number }>();
  return (failure) => {
    onCounted(failure);
    const code = codes[failure.credential];
    const key = `${code} ${failure.network}`;
    const at = now();
    let window = windows.get(key);
    if (window === undefined || at - window.startedAt >= windowMs) {
      window = { startedAt: at, failures: 0 };
      windows.delete(key);
      windows.set(key, window);
      const [oldest] = windows.keys();
      if (windows.size > maximumNetworks && oldest !== undefined) windows.delete(oldest);
    }
    window.failures += 1;
    if (/^10*$/u.test(String(window.failures)))
      log(code, { client_network: failure.network, failures: window.failures });
  };
}
