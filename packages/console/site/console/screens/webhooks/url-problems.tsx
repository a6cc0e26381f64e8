import type { ComponentChildren } from "preact";
import { hrefTo } from "../../state/use-route.ts";

/** How to receive events on a machine that has no public address. */
function ListenHint() {
  return (
    <>
      To receive events on your own machine, use <a href={hrefTo(["listen"])}>hookwright listen</a>.
    </>
  );
}

/**
 * What the server will probably refuse. It says "should", because a server for trials accepts more.
 *
 * @example findUrlProblem("http://example.com/") // "URL should begin with https://, so that nobody reads …"
 */
export function findUrlProblem(text: string): ComponentChildren {
  if (text === "") return undefined;
  if (!/^https?:\/\//iu.test(text)) return "URL must begin with https://.";
  const url = URL.parse(text);
  if (url === null || !/^\w+:\/\/[^/\\?#]/u.test(text))
    return "URL must name a host, such as https://example.com/webhooks.";
  if (/^(?:.*\.)?localhost\.?$|^127\.|^\[::1\]$/u.test(url.hostname))
    return (
      <>
        URL should have a public address. <ListenHint />
      </>
    );
  if (url.protocol === "http:")
    return "URL should begin with https://, so that nobody reads the events on their way.";
  return undefined;
}

/** What the server says, without its advice to the operator. */
export function toUrlProblem(problem: string | undefined): ComponentChildren {
  const { reason } = /^(?<reason>.*?); for a receiver on your machine /u.exec(problem ?? "")?.groups ?? {};
  if (reason === undefined) return problem;
  return (
    <>
      {reason}. <ListenHint />
    </>
  );
}
