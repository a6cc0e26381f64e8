import { execFile } from "node:child_process";
import { promisify } from "node:util";

/** Converts a curl command to a request. A shell splits the arguments; curl is not needed. */
export async function readCurl(command: string): Promise<Request> {
  const { stdout } = await promisify(execFile)("sh", ["-c", `curl() { printf '%s\\0' "$@"; }\n${command}`]);
  const args = stdout.split("\0").slice(0, -1);
  const valuesOf = (option: string): string[] =>
    args.filter((_, index) => args[index - 1] === option && index > 0);
  const headers = valuesOf("-H").map((line): [string, string] => {
    const [name = "", value = ""] = line.split(/: (.*)/su);
    return [name, value];
  });
  const [body] = valuesOf("-d");
  const [url = ""] = args;
  return new Request(url, { headers, ...(body === undefined ? {} : { method: "POST", body }) });
}
