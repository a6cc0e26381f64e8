import { StorageError, type Store } from "@hookwright/storage";
import type { Driver } from "unstorage";
import { hidePassword } from "@hookwright/domain";

/** A driver of unstorage with its options. */
export interface UnstorageLocation {
  readonly type: "unstorage";
  readonly driver: string;
  readonly options: Readonly<Record<string, string>>;
}

/** `secret` values are never shown, `url` values without passwords. */
type Kind = "text" | "url" | "secret";

interface KnownDriver {
  readonly options: Readonly<Record<string, Kind>>;
  readonly required: readonly string[];
  /** Packages that unstorage does not install. */
  readonly packages: readonly string[];
}

/** Drivers that keep data, list all of it, and read what they wrote. */
const drivers: Readonly<Record<string, KnownDriver>> = {
  fs: { options: { base: "text" }, required: ["base"], packages: [] },
  "fs-lite": { options: { base: "text" }, required: ["base"], packages: [] },
  http: { options: { base: "url" }, required: ["base"], packages: [] },
  mongodb: {
    options: { connectionString: "url", databaseName: "text", collectionName: "text" },
    required: ["connectionString"],
    packages: ["mongodb"],
  },
  "azure-storage-blob": {
    options: {
      accountName: "text",
      accountKey: "secret",
      containerName: "text",
      sasKey: "secret",
      sasUrl: "secret",
      connectionString: "secret",
      endpointSuffix: "text",
    },
    required: [],
    packages: ["@azure/storage-blob", "@azure/identity"],
  },
};

/** Why other drivers cannot be used, if somebody may expect them. */
const unusable: Readonly<Record<string, string>> = {
  memory: "It forgets everything. Write memory without unstorage:.",
  "lru-cache": "It forgets everything.",
  null: "It stores nothing.",
  redis: "Write redis://…, which several processes can share.",
  s3: "It lists only the first 1,000 objects of a bucket, so commits could be lost.",
  "cloudflare-kv-http": "A write takes up to a minute to appear, so commits could be lost.",
};

const prefix = "unstorage:";

/** Parses `unstorage:DRIVER?option=value&…`. Returns the problem as a sentence if it is invalid. */
export function parseUnstorage(text: string): UnstorageLocation | string {
  const [name = "", ...rest] = text.slice(prefix.length).split("?");
  const known = Object.hasOwn(drivers, name) ? drivers[name] : undefined;
  if (known === undefined) {
    const reason = Object.hasOwn(unusable, name) ? ` ${unusable[name]}` : "";
    return `The driver ${JSON.stringify(hidePassword(name))} of unstorage cannot be used.${reason} Use one of ${Object.keys(drivers).join(", ")}.`;
  }
  const options: Record<string, string> = {};
  for (const part of rest
    .join("?")
    .split("&")
    .filter((each) => each !== "")) {
    const [option = "", ...value] = part.split("=");
    const kind = Object.hasOwn(known.options, option) ? known.options[option] : undefined;
    const allowed = Object.keys(known.options).join(", ");
    if (kind === undefined)
      return `The driver ${name} has no option ${JSON.stringify(option)}. It has ${allowed}.`;
    if (Object.hasOwn(options, option)) return `The option ${option} is there twice.`;
    const decoded = decode(value.join("="));
    if (decoded === "")
      return `The option ${option} of the driver ${name} must be a text, with %26 for & and %25 for %.`;
    options[option] = decoded;
  }
  const missing = known.required.find((option) => options[option] === undefined);
  if (missing !== undefined)
    return `The driver ${name} needs the option ${missing}: ${prefix}${name}?${missing}=….`;
  return { type: "unstorage", driver: name, options };
}

/** Not that of URLSearchParams, which reads the + of a key as a space. Returns an empty text if it is malformed. */
function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return "";
  }
}

/** The location as it was written, without secrets and passwords. */
export function describeUnstorage({ driver, options }: UnstorageLocation): string {
  const kinds = drivers[driver]?.options ?? {};
  const shown = Object.entries(options).map(([option, value]) => {
    if (kinds[option] === "secret") return `${option}=***`;
    return `${option}=${kinds[option] === "url" ? hidePassword(value) : value}`;
  });
  return `${prefix}${driver}${shown.length === 0 ? "" : "?"}${shown.join("&")}`;
}

/** The values that must be in no log line and no message. */
export function secretsOfUnstorage({ driver, options }: UnstorageLocation): readonly string[] {
  return Object.entries(options).flatMap(([option, value]) =>
    drivers[driver]?.options[option] === "text" ? [] : value,
  );
}

/**
 * Opens a store on a driver. Closing the store also disposes of the driver.
 *
 * @param onError receives errors of background work that is retried
 * @throws {StorageError} as `openUnstorageStore`; `missing_dependency` if a package of the driver is not installed
 */
export async function openUnstorage(
  location: UnstorageLocation,
  onError: (error: unknown) => void,
): Promise<Store> {
  const { createStorage } = await import("unstorage");
  const { openUnstorageStore } = await import("@hookwright/storage/unstorage");
  const storage = createStorage({ driver: (await importDriver(location))(location.options) });
  const dispose = (): Promise<void> => storage.dispose().catch(onError);
  const store = await openUnstorageStore({ storage, onError }).catch(async (error: unknown) => {
    await dispose();
    throw error;
  });
  const close = (): Promise<void> => store.close().finally(dispose);
  return { ...store, close, [Symbol.asyncDispose]: close };
}

/** @throws {StorageError} `missing_dependency` */
export async function importDriver({ driver }: UnstorageLocation): Promise<CreateDriver> {
  const module: unknown = await import(`unstorage/drivers/${driver}`).catch((cause: unknown) => {
    if (!(cause instanceof Error && "code" in cause && cause.code === "ERR_MODULE_NOT_FOUND")) throw cause;
    const packages = drivers[driver]?.packages.join(" ") ?? "";
    throw new StorageError(
      "missing_dependency",
      `The driver ${driver} of unstorage needs packages that are not installed. Install them beside Hookwright: npm install ${packages}`,
      { cause },
    );
  });
  if (!hasCreateDriver(module)) throw new TypeError(`unstorage/drivers/${driver} exports no driver`);
  return module.default;
}

type CreateDriver = (options: object) => Driver;

function hasCreateDriver(module: unknown): module is { default: CreateDriver } {
  return (
    typeof module === "object" &&
    module !== null &&
    "default" in module &&
    typeof module.default === "function"
  );
}
