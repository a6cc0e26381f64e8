/**
 * Whether a host name of a URL is this machine.
 *
 * @example isLoopback("[::1]") // true
 */
export function isLoopback(hostname: string): boolean {
  return (
    hostname === "localhost" ||
    hostname.endsWith(".localhost") ||
    hostname === "[::1]" ||
    /^127(?:\.\d+){3}$/u.test(hostname)
  );
}
