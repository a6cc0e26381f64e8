import type { Cluster, Command, Redis } from "ioredis";
import { StorageError } from "../storage-error.ts";
import type { EncodedArguments } from "./argument-writer.ts";

/**
 * Makes a command for a client of ioredis.
 *
 * @param rest its last arguments, where they are bytes already: ioredis would put together thousands of texts, and encode them
 */
export type CreateCommand = (
  name: string,
  values: readonly string[],
  rest: EncodedArguments | undefined,
) => Command;

/** @throws {StorageError} `invalid_argument` for a client that makes no commands as ioredis 5 does */
export function commandsOf(client: Redis | Cluster): CreateCommand {
  const PlainCommand = commandClassOf(client);
  const { keyPrefix } = client.options;
  const options = { replyEncoding: "utf8" as const, ...(keyPrefix === undefined ? {} : { keyPrefix }) };

  return (name, values, rest) => {
    const command = new PlainCommand(name, [...values], options);
    if (rest !== undefined) {
      // Asked for once more where a node of a Cluster names another one.
      command.toWritable = () => rest.behind(toHead([name, ...command.args.map(String)], rest.count));
    }
    return command;
  };
}

/** What begins a command of so many arguments more. */
function toHead(parts: readonly string[], more: number): string {
  const texts = parts.map((text) => `$${Buffer.byteLength(text)}\r\n${text}\r\n`);
  return `*${parts.length + more}\r\n${texts.join("")}`;
}

/** Of the very ioredis that the client is of: it need not be one that can be imported from here. */
function commandClassOf(client: Redis | Cluster): typeof Command {
  let made: Command | undefined;
  const asked = {
    options: {},
    sendCommand(command: Command): void {
      made = command;
    },
  };
  Reflect.apply(client.call, asked, ["ping"]);
  const found: unknown = made?.constructor;
  if (isCommandClass(found)) return found;
  throw new StorageError(
    "invalid_argument",
    "client must be one of ioredis 5, a Redis or a Cluster: this one makes no commands as those do.",
  );
}

function isCommandClass(value: unknown): value is typeof Command {
  return typeof value === "function" && "checkFlag" in value;
}
