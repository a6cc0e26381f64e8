import { version as ownVersion } from "../package.json";

interface PackageSourceOptions {
  /** Part of the URL that changes with the file, because npx never downloads the same URL again. @default none */
  readonly tag?: string | undefined;
  /** The version of all packages. It is `0.0.0` until the first release. */
  readonly version?: string;
}

/**
 * What `npx` runs or `npm install` installs: the name on npm after the first release. Until then anybody could take the
 * name, so it is the file that each server serves.
 *
 * @param server the URL of the server with its base path, without a slash at the end
 * @example packageSource("cli", "https://hooks.example.com") // "https://hooks.example.com/console/cli.tgz"
 */
export function packageSource(
  name: "cli" | "signature",
  server: string,
  { tag, version = ownVersion }: PackageSourceOptions = {},
): string {
  if (version !== "0.0.0") return `@hookwright/${name}`;
  return `${server}/console/${name}.tgz${tag === undefined ? "" : `#${tag}`}`;
}
