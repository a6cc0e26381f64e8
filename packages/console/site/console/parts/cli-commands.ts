import { packageSource, quote } from "@hookwright/domain";

/**
 * Commands that receive events on the user's own machine, for a terminal in which nothing is installed.
 *
 * @param server the URL of the server with its base path
 * @param tag that of the command line which the server serves
 * @example cliCommands("https://hooks.example.com", "4fK2").listen
 * // npx https://hooks.example.com/console/cli.tgz#4fK2 listen --forward http://localhost:8080/webhooks
 */
export function cliCommands(server: string, tag: string | undefined) {
  const npx = `npx ${quoteIfNeeded(packageSource("cli", server, { tag }))}`;
  return {
    login: `${npx} login --server ${quoteIfNeeded(server)}`,
    printSecret: `export WEBHOOK_SECRET=$(${npx} listen --print-secret)`,
    listen: `${npx} listen --forward http://localhost:8080/webhooks`,
    verify: `${npx} verify --secret "$WEBHOOK_SECRET" --headers headers.txt --body body.json`,
    /** Signs the request of an attempt again, and prints it as a cURL command. */
    replay: (id: string, attempt: number) => `${npx} replay ${id} --attempt ${attempt} --curl`,
    trigger: (event: string) => `${npx} trigger ${event}`,
  };
}

/** For example, a shell reads the brackets of an IPv6 address as a pattern. */
export function quoteIfNeeded(text: string): string {
  return /^[\w:/.@#-]+$/u.test(text) ? text : quote(text);
}
