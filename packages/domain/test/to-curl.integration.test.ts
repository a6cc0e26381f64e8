import { execFileSync } from "node:child_process";
import { expect, it } from "vitest";
import { toCurl } from "../src/received/to-curl.ts";

/** Prints its arguments in place of sending them. */
const curl = String.raw`curl() { for argument; do printf '%s\0' "$argument"; done; }`;

it.runIf(process.platform !== "win32")(
  "the command has the exact headers and bytes, whatever they contain",
  () => {
    const bodies = [
      `{"id":"order.created_ord_1","data":{"note":"it's $HOME \`id\` \\\\ \\n 😀 !x","lines":"a\nb"}}`,
      `{"name":"\u202bit's 50 % \u200e \\u00e9 \\\\ ë\u202c\u009b\r"}`,
    ];
    const headers = {
      "Content-Type": "application/json",
      "X-Tenant": "o'hara",
      Authorization: "(not stored)",
    };
    for (const body of bodies) {
      const command = toCurl("https://example.com/hook?a=1&b='2'", { headers, body });
      // oxlint-disable-next-line no-control-regex -- a terminal shows the command as it is
      expect(command).not.toMatch(/[\r\u007f-\u009f\u200e\u200f\u202a-\u202e]/u);
      const printed = execFileSync("sh", ["-c", `${curl}\n${command}`], { encoding: "utf8" });
      expect(printed.split("\0").slice(0, -1)).toEqual([
        "https://example.com/hook?a=1&b='2'",
        "-H",
        "Content-Type: application/json",
        "-H",
        "X-Tenant: o'hara",
        "-H",
        "Authorization: <VALUE>",
        "--data-binary",
        body,
      ]);
    }
  },
);
