import process from "node:process";
import { ConfigurationError } from "@hookwright/domain";

/** The same version as in `engines` of package.json. */
const oldestNode = [22, 18] as const;

/**
 * Refuses a Node that is too old. npm only prints a warning at installation.
 *
 * @throws ConfigurationError `invalid_option`
 */
export function expectNode(version: string = process.versions.node): void {
  const [major = 0, minor = 0] = version.split(".").map(Number);
  const [oldestMajor, oldestMinor] = oldestNode;
  if (major > oldestMajor || (major === oldestMajor && minor >= oldestMinor)) return;
  throw new ConfigurationError({
    option: "node",
    message: `must be ${oldestNode.join(".")} or newer, but this process runs Node ${version}. Install a newer Node`,
  });
}
