import type { Environment } from "../terminal/program.ts";
import { isLoopback } from "./is-loopback.ts";

const guide =
  "See https://github.com/hookwright/hookwright/blob/main/docs/guide/company-proxies.md for all settings.";

/**
 * Says whether requests to the server use the proxy of the environment, for errors of the network. Undefined if the
 * proxy cannot be the cause. The text does not show the user and the password of the proxy.
 */
export function describeProxy(server: string, environment: Environment): string | undefined {
  const { protocol, hostname, port } = new URL(server);
  const upper = protocol === "https:" ? "HTTPS_PROXY" : "HTTP_PROXY";
  // As in Node, the small letters come first.
  const name = environment[upper.toLowerCase()] ? upper.toLowerCase() : upper;
  const value = environment[name] ?? "";
  if (value === "") return undefined;
  const proxy = URL.canParse(value) ? new URL(value).host : "no URL";
  const isUsed =
    environment["NODE_USE_ENV_PROXY"] === "1" ||
    /(?:^|\s)--use-env-proxy(?:\s|$)/u.test(environment["NODE_OPTIONS"] ?? "");
  if (isUsed) {
    const excluded = (environment["no_proxy"] || environment["NO_PROXY"] || "").split(/[\s,]+/u);
    if (excluded.some((entry) => excludes(entry, hostname, port || usualPorts[protocol]))) return undefined;
    return `Requests go through the proxy ${proxy} (${name}). To reach the server without it, add ${hostname} to NO_PROXY. ${guide}`;
  }
  if (isLoopback(hostname)) return undefined;
  return `${name} names the proxy ${proxy}, but Node uses it only with NODE_USE_ENV_PROXY=1, from Node 24 or 22.21 on. ${guide}`;
}

const usualPorts: Readonly<Record<string, string>> = { "https:": "443", "http:": "80" };

/** Whether an entry of `NO_PROXY` names a host, as Node reads it: a domain includes all names below it, and a port only itself. */
function excludes(entry: string, hostname: string, port: string | undefined): boolean {
  const [, host = entry, only = port] = /^(.+):(\d+)$/u.exec(entry) ?? [];
  const name = host.toLowerCase().replace(/^\*?\./u, "");
  return only === port && (name === "*" || name === hostname || hostname.endsWith(`.${name}`));
}
