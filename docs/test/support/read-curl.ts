import { execFile } from "node:child_process";
import { promisify } from "node:util";

/** A curl command as a shell reads it, as a request. Curl itself is not needed. */
export async function readCurl(command: string): Promise<Request> {
  const { stdout } = await promisify(execFile)("sh", ["-c", `curl() { printf '%s\\0' "$@"; }\n${command}`]);
  const words = stdout.split("\0").slice(0, -1);
  const valuesOf = (option: string): string[] =>
    words.filter((_, index) => words[index - 1] === option && index > 0);
  const headers = valuesOf("-H").map((line): [string, string] => {
    const [name = "", value = ""] = line.split(/: (.*)/su);
    return [name, value];
  });
  const [body] = valuesOf("-d");
  const [url = ""] = words;
  return new Request(url, { headers, ...(body === undefined ? {} : { method: "POST", body }) });
}
