import { execFile, spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { readFile, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import path from "node:path";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { createSignedHeaders } from "@hookwright/signature";
import { memoryStore } from "@hookwright/storage/memory";
import { createHookwright } from "hookwright";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
  renderSnippet,
  snippetLanguages,
} from "../../packages/console/site/console/parts/verify-snippets.ts";
import type { SnippetLanguage } from "../../packages/console/site/console/parts/verify-snippets.ts";
import { listenLocally } from "../../packages/hookwright/test/support/listen-locally.ts";
import { body, event, secret } from "./support/deliver.ts";
import { makeFolder } from "./support/make-folder.ts";
import { startProgram } from "./support/start-program.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));

interface Receiver {
  /** Exits with 0 where the language is installed. */
  readonly check: string;
  /** The file of the program. */
  readonly file: string;
  /** Puts the snippet, of which the imports come first, into a program that reads `body` and `headers.json`. */
  readonly write: (imports: string, call: string) => string;
  /** Other files of the program. */
  readonly files?: Readonly<Record<string, string>>;
  /** Prints the id of the event, or why it was refused. PHP is a server, because its snippet reads a request. */
  readonly run: string;
}

const module = "github.com/hookwright/hookwright/packages/signature/verifiers/go";

const receivers: Readonly<Record<SnippetLanguage, Receiver>> = {
  Node: {
    check: "npm --version",
    file: "main.mjs",
    write: (imports, call) => `import { readFileSync } from "node:fs";
${imports}
const body = readFileSync("body");
const request = { headers: JSON.parse(readFileSync("headers.json", "utf8")) };
${call}
console.log(event.id);`,
    run: `"${process.execPath}" main.mjs`,
  },
  Python: {
    check: "python3 --version",
    file: "main.py",
    write: (imports, call) => `import json
${imports}
body = open("body", "rb").read()
headers = json.load(open("headers.json"))
${call}
print(event["id"])`,
    run: "PYTHONPATH=package/verifiers/python python3 -B main.py",
  },
  Go: {
    check: "go version",
    file: "main.go",
    files: {
      "go.mod": `module receiver\n\ngo 1.21\n\nrequire ${module} v0.0.0\n\nreplace ${module} => ./package/verifiers/go\n`,
    },
    write: (imports, call) => `package main
${imports}
import ("encoding/json"; "fmt"; "net/http"; "os"; "strings")
func main() {
  body, _ := os.ReadFile("body")
  text, _ := os.ReadFile("headers.json")
  var headers map[string]string
  json.Unmarshal(text, &headers)
  request := &http.Request{Header: http.Header{}}
  for name, value := range headers { request.Header.Set(name, value) }
  ${call}
  if err != nil { fmt.Println(err); os.Exit(1) }
  fmt.Println(event.ID)
}`,
    run: "go run .",
  },
  PHP: {
    check: "php --version",
    file: "index.php",
    write: (imports, call) => `<?php
${imports}
require 'package/verifiers/php/src/SignatureError.php';
require 'package/verifiers/php/src/Verifier.php';
${call}
echo $event['id'];`,
    run: "php",
  },
  Ruby: {
    check: "ruby --version",
    file: "main.rb",
    write: (imports, call) => `require "json"
${imports}
body = File.binread("body")
headers = JSON.parse(File.read("headers.json"))
${call}
puts event["id"]`,
    run: "ruby -w -I package/verifiers/ruby/lib main.rb",
  },
  Java: {
    check: "javac -version",
    file: "Main.java",
    write: (imports, call) => `${imports}
import java.nio.file.*;
import java.util.*;
public class Main {
  public static void main(String[] arguments) throws Exception {
    byte[] body = Files.readAllBytes(Path.of("body"));
    Map<String, List<String>> headers = new HashMap<>();
    for (String line : Files.readAllLines(Path.of("headers.txt")))
      headers.put(line.split(": ")[0], List.of(line.split(": ")[1]));
    ${call}
    System.out.println(event.id());
  }
}`,
    run: "javac -d classes Main.java $(find package/verifiers/java/src/main -name '*.java') && java -cp classes Main",
  },
};

const isInstalled = (language: SnippetLanguage): boolean =>
  spawnSync("sh", ["-c", receivers[language].check]).status === 0;
const installed = Object.values(snippetLanguages).filter(isInstalled);
for (const language of Object.values(snippetLanguages).filter((each) => !installed.includes(each)))
  process.stderr.write(`The snippet of the console for ${language} did not run: it is not installed.\n`);

/** The form of the body that a server may choose. */
const standardBody = JSON.stringify({
  type: event.event,
  timestamp: "2026-11-30T16:00:00.000Z",
  data: event.data,
  id: event.id,
  project: event.project,
});

interface Sent {
  readonly headerPrefix?: string;
  readonly signed?: string;
  readonly timestamp?: number;
}

describe.each(installed)("the snippet of the console for %s", (language) => {
  const resources = new AsyncDisposableStack();
  const { file, write, files = {}, run } = receivers[language];
  let folder = "";
  let server = "";

  const execute = async (command: string): Promise<string> => {
    const env = {
      ...process.env,
      WEBHOOK_SECRET: `whsec_new,${secret}`,
      GOTMPDIR: folder,
      // Nothing listens there.
      npm_config_registry: "http://127.0.0.1:9/",
      npm_config_cache: path.join(folder, "npm"),
    };
    const ended = promisify(execFile)("sh", ["-c", command], { cwd: folder, env });
    const { stdout, stderr }: { stdout: string; stderr: string } = await ended.catch((error) => error);
    return (stdout + stderr).trim();
  };

  /** What the snippet prints for a delivery. */
  const receive = async ({ headerPrefix, signed = body, timestamp }: Sent = {}): Promise<string> => {
    const headers = await createSignedHeaders({
      body: signed,
      secret,
      event: event.event,
      deliveryId: "dlv_1",
      ...(headerPrefix === undefined ? {} : { headerPrefix }),
      ...(timestamp === undefined ? {} : { timestamp }),
    });
    const [imports = "", ...call] = renderSnippet(language, { server, headerPrefix }).call.split("\n\n");
    await writeFile(path.join(folder, file), write(imports, call.join("\n\n")));
    if (run === "php") return request(headers, signed);
    await writeFile(path.join(folder, "body"), signed);
    await writeFile(path.join(folder, "headers.json"), JSON.stringify(headers));
    const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
    await writeFile(path.join(folder, "headers.txt"), lines.join("\n"));
    return execute(run);
  };

  async function request(headers: Readonly<Record<string, string>>, sent: string): Promise<string> {
    await using program = await startProgram({
      command: "php",
      args: ["-S", "127.0.0.1:{port}", "index.php"],
      folder,
      environment: { WEBHOOK_SECRET: `whsec_new,${secret}` },
    });
    const response = await fetch(program.origin, { method: "POST", headers, body: sent });
    // It is read before the server ends.
    const text = await response.text();
    return response.ok ? text : program.printed();
  }

  beforeAll(async () => {
    const hookwright = await createHookwright({ store: memoryStore(), secret: "s".repeat(32) });
    resources.defer(() => hookwright.close());
    const listening = resources.use(await listenLocally(createServer(hookwright.handler)));
    server = listening.origin;
    folder = await makeFolder();
    const { install } = renderSnippet(language, { server, headerPrefix: undefined });
    // npm would otherwise take the folder of the tests for the project.
    if (language === "Node") await writeFile(path.join(folder, "package.json"), "{}");
    await execute(install);
    for (const [name, text] of Object.entries(files)) await writeFile(path.join(folder, name), text);
  }, 60_000);
  afterAll(() => resources.disposeAsync());

  it("verifies, with several secrets, and refuses an old delivery", { timeout: 60_000 }, async () => {
    expect(await receive()).toBe(event.id);
    expect(await receive({ timestamp: 1 })).toContain("behind now");
  });

  it("verifies with the prefix and the body form of the server", { timeout: 60_000 }, async () => {
    expect(await receive({ headerPrefix: "X-Acme", signed: standardBody })).toBe(event.id);
  });

  it.runIf(language !== "Node")("is what the readme of the verifier shows, which came with it", async () => {
    const readme = await readFile(
      path.join(folder, `package/verifiers/${language.toLowerCase()}/README.md`),
      "utf8",
    );
    const { call } = renderSnippet(language, { server, headerPrefix: undefined });
    const lines = call.split("\n").filter((line) => /WEBHOOK_SECRET|verify\(/u.test(line));
    expect(lines.length).toBeGreaterThan(0);
    for (const line of lines) expect(readme).toContain(line);
    expect(readme).toBe(
      readFileSync(
        path.join(root, `packages/signature/verifiers/${language.toLowerCase()}/README.md`),
        "utf8",
      ),
    );
  });
});
