import { StorageError } from "./storage-error.ts";

export interface MissingPackage {
  /** The words before "needs". */
  readonly user: string;
  readonly name: string;
  /** The major version that the store is tested with. */
  readonly major: number;
  readonly cause: unknown;
  /** @default "" */
  readonly more?: string;
}

/** The error of an optional package that cannot be loaded. A global installation finds it only among the global packages. */
export function missingPackage({ user, name, major, cause, more = "" }: MissingPackage): StorageError {
  const command = `${name}@${major}`;
  return new StorageError(
    "missing_dependency",
    `${user} needs the package "${name}", which is not installed beside @hookwright/storage. Run: npm install ${command} (beside a global command: npm install --global ${command}).${more}`,
    { cause },
  );
}
