import { writeFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { readGuide } from "../guides/read-guide.mjs";
import { splitCommands } from "../guides/split-commands.mjs";
import { readStartCommand } from "../guides/start-guide-server.mjs";
import { temporaryFolder } from "./support/temporary-folder.ts";

describe("the commands of a shell block", () => {
  it("end with their lines, without comments", () => {
    expect(splitCommands("npm install a b # both\n\n# nothing\nnode a.ts\n")).toEqual([
      "npm install a b",
      "node a.ts",
    ]);
  });

  it("go on behind a backslash and inside a quotation", () => {
    const curl = `curl http://127.0.0.1/#part \\\n  -d '{\n  "a": "it is # 1" }'`;
    expect(splitCommands(`${curl}\necho "A=\\"1\\"" > .env`)).toEqual([curl, `echo "A=\\"1\\"" > .env`]);
  });
});

describe("a guide", () => {
  const text = [
    "With `npm install express`, and `npm start` elsewhere:",
    "```ts file=docs/examples/receiving/express.ts",
    "app.listen(port);",
    "```",
    "```ts file=docs/examples/receiving/receive.ts",
    "export {};",
    "```",
    "```ts file=docs/examples/receiving/app/route.ts",
    "serve({ fetch });",
    "```",
    "```ts",
    "other.listen(port);",
    "```",
    "```sh",
    "SECRET=1 node --env-file=.env express.ts",
    "```",
  ].join("\n");

  it("shows files, some of which are servers, and says what to type", (context) => {
    const page = path.join(temporaryFolder(context), "receiving.md");
    writeFileSync(page, text);
    const guide = readGuide(page, "docs/examples/receiving/");
    expect(guide.files.map(({ name }) => name)).toEqual(["express.ts", "receive.ts", "app/route.ts"]);
    expect(guide.servers).toEqual(["express.ts"]);
    expect(guide.commands).toEqual(["SECRET=1 node --env-file=.env express.ts", "npm install express"]);
    expect(readStartCommand(guide)).toEqual({
      environment: { SECRET: "1" },
      options: ["--env-file=.env"],
    });
  });

  it("need not say how a server is started", () => {
    const guide = { files: [], servers: ["a.ts"], commands: ["node b.ts", "npm install a.ts"], prose: "" };
    expect(readStartCommand(guide)).toEqual({ environment: {}, options: [] });
  });
});
