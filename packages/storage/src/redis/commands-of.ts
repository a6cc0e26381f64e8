import type { Cluster, Command, Redis } from "ioredis";
import { StorageError } from "../storage-error.ts";
import type { EncodedArguments } from "./argument-writer.ts";

/**
 * Creates an ioredis command.
 *
 * @param rest its last arguments, if they are already encoded. ioredis would encode thousands of strings
 *   slowly
 */
export type CreateCommand = (
  name: string,
  values: readonly string[],
  rest: EncodedArguments | undefined,
) => Command;

/** @throws {StorageError} `invalid_argument` if the client does not create commands like ioredis 5 */
export function commandsOf(client: Redis | Cluster): CreateCommand {
  const PlainCommand = commandClassOf(client);
  const { keyPrefix } = client.options;
  const options = { replyEncoding: "utf8" as const, ...(keyPrefix === undefined ? {} : { keyPrefix }) };

  return (name, values, rest) => {
    const command = new PlainCommand(name, [...values], options);
    if (rest !== undefined) {
      // ioredis calls this again if a Cluster node redirects the command.
      command.toWritable = () => rest.withHead(toHead([name, ...command.args.map(String)], rest.count));
    }
    return command;
  };
}

/** Returns the beginning of a command that has `more` further arguments. */
function toHead(parts: readonly string[], more: number): string {
  const texts = parts.map((text) => `$${Buffer.byteLength(text)}\r\n${text}\r\n`);
  return `*${parts.length + more}\r\n${texts.join("")}`;
}

/** Finds the command class of the client's own ioredis, which may be another copy than ours. */
function commandClassOf(client: Redis | Cluster): typeof Command {
  let created: Command | undefined;
  const receiver = {
    options: {},
    sendCommand(command: Command): void {
      created = command;
    },
  };
  Reflect.apply(client.call, receiver, ["ping"]);
  const found: unknown = created?.constructor;
  if (isCommandClass(found)) return found;
  throw new StorageError(
    "invalid_argument",
    "client must be a Redis or a Cluster of ioredis 5. This one does not create commands like those.",
  );
}

function isCommandClass(value: unknown): value is typeof Command {
  return typeof value === "function" && "checkFlag" in value;
}
