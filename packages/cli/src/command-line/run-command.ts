import packageJson from "../../package.json" with { type: "json" };
import { createApiClient } from "../api/api-client.ts";
import { describeProxy } from "../api/proxy-hint.ts";
import { CliError, describeBug, exitStatus, ownError } from "../cli-error.ts";
import { listProfiles } from "../credentials/credentials-file.ts";
import { isUnencrypted, resolveCredential } from "../credentials/resolve.ts";
import type { ResolveOptions } from "../credentials/resolve.ts";
import type { Program } from "../terminal/program.ts";
import { toSafeJson } from "../terminal/escape-controls.ts";
import { createOutput } from "../terminal/output.ts";
import { commonOptions, toUsage } from "./command.ts";
import type { Command, CommandContext, ListedCommand } from "./command.ts";
import { describeCommand } from "./describe-command.ts";
import { parseArguments } from "./parse-arguments.ts";

export interface RunOptions {
  readonly program: Program;
  readonly command: Command;
  /** The arguments after the name of the command. */
  readonly commandLine: readonly string[];
  /** All commands of the program, for completion. */
  readonly listed: readonly ListedCommand[];
  readonly fetch?: typeof fetch;
  /** Milliseconds since the epoch. */
  readonly now?: () => number;
}

/** Runs one command and returns the exit status. */
export async function runCommand({
  program,
  command,
  commandLine,
  listed,
  fetch = globalThis.fetch,
  now = Date.now,
}: RunOptions): Promise<number> {
  const stop = new AbortController();
  const isJson = commandLine.includes("--json");
  const output = createOutput(program, { isJson });
  try {
    const { words, options } = parseArguments({ ...command, common: commonOptions }, commandLine);
    if (options.has("help")) {
      program.print(describeCommand(toUsage(command)));
      return exitStatus.done;
    }
    program.onSignal(() => stop.abort());
    const sleep = (milliseconds: number, signal = stop.signal): Promise<void> => wait(milliseconds, signal);
    const connectTo = (server: string, token: string | undefined) =>
      createApiClient({
        server,
        token,
        version: packageJson.version,
        proxyHint: describeProxy(server, program.environment),
        fetch,
        sleep,
        signal: stop.signal,
        remark: output.remark,
      });
    const resolve = (how?: ResolveOptions) =>
      resolveCredential(
        { server: options.get("server"), key: options.get("key"), profile: options.get("profile") },
        program.environment,
        how,
      );
    const context: CommandContext = {
      command,
      words,
      options,
      program,
      output,
      commands: listed,
      signal: stop.signal,
      now,
      sleep,
      resolve,
      connectTo,
      async connect() {
        const { server, token, profile, folder } = await resolve();
        if (token === undefined) {
          const ofProfile = profile === undefined ? "" : ` --profile ${profile}`;
          const profiles = profile === undefined || folder === undefined ? [] : await listProfiles(folder);
          const others = profiles.filter((name) => name !== profile);
          const known = others.length === 0 ? "" : ` Other profiles: ${others.join(", ")}.`;
          const hint = program.environment["HOOKWRIGHT_API_KEY"]
            ? "HOOKWRIGHT_API_KEY is only sent to HOOKWRIGHT_SERVER. Use --key, or"
            : "Use --key or HOOKWRIGHT_API_KEY, or";
          throw ownError(
            "credential_missing",
            `no API key and no login for ${server}. ${hint} run \`hookwright login --server ${server}${ofProfile}\`.${known}`,
          );
        }
        if (isUnencrypted(server))
          output.remark(
            `hookwright: warning: ${server} is not encrypted. Others can read the key. Use https.`,
          );
        return connectTo(server, token);
      },
    };
    return await command.run(context);
  } catch (error) {
    if (stop.signal.aborted && !(error instanceof CliError)) return exitStatus.interrupted;
    const {
      code,
      message,
      exitStatus: status,
    } = error instanceof CliError ? error : ownError("unexpected_error", describeBug(error), error);
    if (isJson) program.complain(toSafeJson({ error: { code, message } }));
    else output.remark(`hookwright: ${message}`);
    return status;
  }
}

function wait(milliseconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const onAbort = (): void => {
      clearTimeout(timer);
      reject(signal.reason);
    };
    const timer = setTimeout(() => {
      signal.removeEventListener("abort", onAbort);
      resolve();
    }, milliseconds);
    if (signal.aborted) onAbort();
    else signal.addEventListener("abort", onAbort, { once: true });
  });
}
