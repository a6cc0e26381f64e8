import type { Attempt } from "@hookwright/domain";

/** What the log has in place of the value of one of the owner's headers. */
const hiddenValue = "(not stored)";

/**
 * A command for a POSIX shell that sends the request of an attempt again, byte by byte.
 *
 * @example toCurl("https://example.com/hook", { headers: { "Content-Type": "application/json" }, body: "{}" })
 * // curl 'https://example.com/hook' \\
 * //   -H 'Content-Type: application/json' \\
 * //   --data-binary '{}'
 */
export function toCurl(targetUrl: string, { headers, body }: Attempt["request"]): string {
  const lines = Object.entries(headers).map(([name, value]) => {
    const shown = value === hiddenValue ? "<VALUE>" : value;
    return `-H ${quote(`${name}: ${shown}`)}`;
  });
  return [`curl ${quote(targetUrl)}`, ...lines, `--data-binary ${quote(body)}`].join(" \\\n  ");
}

/** In single quotes a shell changes nothing. */
function quote(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`;
}
