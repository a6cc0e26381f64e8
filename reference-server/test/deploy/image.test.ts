import { once } from "node:events";
import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import path from "node:path";
import process from "node:process";
import { openRedisStore } from "@hookwright/storage/redis";
import { validate } from "dockerfile-utils";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { parse } from "yaml";
import { readWorkspace } from "../../../scripts/bootstrap/workspace.mjs";
import { listShipped } from "../../../scripts/licences/list-shipped.mjs";
import { fillStore } from "../support/filled-store.ts";
import { findFreePort } from "../../../packages/storage/test/support/free-port.ts";
import { hostToken } from "../support/host-api.ts";
import { buildImageRoot, readImage } from "../support/image.ts";
import type { ImageRoot } from "../support/image.ts";
import { serverCommands } from "../support/pages.ts";
import { hasRedisServer, startRedisServer } from "../support/redis-server.ts";
import { openRestorable } from "../support/restorable.ts";

const image = await readImage();
const read = (file: string) => readFileSync(new URL(`../../../${file}`, import.meta.url), "utf8");

describe("the Dockerfile", () => {
  it("is valid", () => {
    expect(validate(image.text)).toEqual([]);
  });

  it("uses the Node of the tests", () => {
    const [pinned] = Object.values(
      JSON.parse(read("scripts/bootstrap/tools/node/package.json")).optionalDependencies,
    );
    expect(image.text).toContain(`ARG NODE_IMAGE=node:${pinned}-trixie-slim\n`);
  });

  it("uses only images that a build argument can pin", () => {
    expect(image.text.match(/^FROM .*$/gmu)?.map((line) => line.split(" ")[1])).toEqual([
      "${NODE_IMAGE}",
      "${NODE_IMAGE}",
    ]);
    expect(image.text).not.toMatch(/^# *syntax=|COPY --from=(?!build)/mu);
  });

  it("runs the server as a numeric user that is not root, and passes signals on", () => {
    expect(image.user).toMatch(/^[1-9]\d{3,}:[1-9]\d{3,}$/u);
    expect(image.stopSignal).toBe("SIGTERM");
    expect([...image.entrypoint, ...image.command]).toEqual(["node", "/app/dist/main.js", "serve"]);
  });

  it("has the labels of the Open Container Initiative", () => {
    for (const name of ["title", "description", "source", "licenses", "version", "revision"])
      expect(image.labels[`org.opencontainers.image.${name}`]).toMatch(/./u);
  });

  it("copies only what .dockerignore lets through", () => {
    const lines = read(".dockerignore").split("\n");
    expect(lines).toContain("*");
    expect(lines).toEqual(expect.arrayContaining(["**/node_modules", "**/dist", "**/.hookwright"]));
  });
});

const compose = parse(read("reference-server/deploy/compose.yaml"), { merge: true });

/** The variables of a process in each set-up of the image. */
const variablesInFiles = {
  Compose: withFiles(compose.services["worker-1"].environment),
  Kubernetes: withFiles(
    Object.fromEntries(
      parse(
        read("reference-server/deploy/kustomize/base/kustomization.yaml"),
      ).configMapGenerator[0].literals.map((text: string) => text.split("=")),
    ),
  ),
};

/** Those that name files, and the empty one that makes room for a file. */
function withFiles(variables: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(variables).filter(([name]) => name.endsWith("_FILE") || name === "HOOKWRIGHT_STORAGE"),
  );
}

it("Compose and Kubernetes set the same variables", () => {
  const { Compose, Kubernetes } = variablesInFiles;
  expect(Object.keys(Compose).toSorted()).toEqual(Object.keys(Kubernetes).toSorted());
  expect(Compose["HOOKWRIGHT_STORAGE"]).toBe(Kubernetes["HOOKWRIGHT_STORAGE"]);
});

it("Compose and Kubernetes read each secret from the same file of the operator", () => {
  const { secretGenerator } = parse(
    read("reference-server/deploy/kustomize/overlays/example/kustomization.yaml"),
  );
  const ofKubernetes: Readonly<Record<string, string>> = Object.fromEntries(
    secretGenerator[0].files.map((text: string) => text.split("=")),
  );
  const mounted: readonly string[] = compose.services["worker-1"].secrets;
  const ofCompose = Object.fromEntries(mounted.map((name) => [name, compose.secrets[name].file]));
  const toFiles = (variables: Readonly<Record<string, string>>, files: Readonly<Record<string, string>>) =>
    Object.entries(variables)
      .filter(([name]) => name.endsWith("_FILE"))
      .map(([name, file]) => [name, files[path.basename(file)]])
      .toSorted();
  const expected = toFiles(variablesInFiles.Kubernetes, ofKubernetes);
  expect(expected).toHaveLength(5);
  expect(expected.every(([, file]) => file?.startsWith("secrets/"))).toBe(true);
  expect(toFiles(variablesInFiles.Compose, ofCompose)).toEqual(expected);
});

const mayChangeRoot = process.platform === "linux" && process.getuid?.() === 0;
if (!mayChangeRoot) process.stderr.write("The image is tested as root on Linux only. It was not.\n");

describe.skipIf(!mayChangeRoot)(
  "the files of the image in an empty root directory",
  { tags: ["long"] },
  () => {
    let root: ImageRoot;
    beforeAll(async () => {
      root = await buildImageRoot(image);
    });
    afterAll(() => root[Symbol.asyncDispose]());

    it("have the versions of the lockfile, and no tools", () => {
      const installed = readdirSync(path.join(root.folder, "app/node_modules/.pnpm"));
      const locked = new Set(Object.keys(parse(read("pnpm-lock.yaml")).packages));
      // Their licences are checked.
      const shipped = new Set(listShipped(readWorkspace()).map(({ name, version }) => `${name}@${version}`));
      const others = installed
        .filter((name) => /@\d/u.test(name) && !name.includes("@file+"))
        .map((name) => name.replace(/_.*$/u, "").replace("+", "/"))
        .filter((name) => !locked.has(name) || !shipped.has(name));
      expect(others).toEqual([]);
      for (const tool of ["typescript", "vitest", "vite", "tsup", "@modelcontextprotocol+sdk", "preact"])
        expect(installed.filter((name) => name.startsWith(`${tool}@`))).toEqual([]);
    });

    it("are restored with the commands of the page", async () => {
      const secret = "a secret of these tests, 32 and more";
      const { folder } = root;
      await using place = await openRestorable("file", { secret, image: { folder, user: image.user } });
      {
        await using store = await place.openStore();
        await fillStore(store, { secret });
      }
      await place.backup();
      const saved = await place.check();
      expect(saved).toMatchObject({
        summary: expect.stringMatching(/^accounts: 1, webhooks: 2, /u),
        warnings: [],
      });
      await place.lose();
      await place.restore();
      expect(await place.check()).toEqual(saved);
    });

    it("serve, answer the health check, stop by SIGTERM, and change only the data directory", async () => {
      const environment = {
        ...image.environment,
        PORT: String(await findFreePort()),
        HOOKWRIGHT_ADMIN_PORT: String(await findFreePort()),
      };
      const before = describeFiles(root.folder);
      const server = root.start([...image.entrypoint, ...image.command], environment);
      let output = "";
      const listening = new Promise<void>((resolve, reject) => {
        server.once("exit", () => reject(new Error(output)));
        for (const stream of [server.stdout, server.stderr])
          stream?.setEncoding("utf8").on("data", (text: string) => {
            output += text;
            if (output.includes('"code":"listening"')) resolve();
          });
      });
      await listening;
      expect(output).toContain('"storage":"file:/var/lib/hookwright"');
      expect(await runToEnd(root, image.healthcheck, environment)).toBe(0);
      for (const [page, type] of [
        ["/console", "text/html; charset=utf-8"],
        ["/console/cli.tgz", "application/gzip"],
      ]) {
        const response = await fetch(`http://127.0.0.1:${environment.PORT}${page}`);
        expect([page, response.headers.get("content-type")]).toEqual([page, type]);
        await response.arrayBuffer();
      }

      const ended = once(server, "exit");
      server.kill("SIGTERM");
      expect(await ended).toEqual([0, null]);
      expect(await runToEnd(root, image.healthcheck, environment)).toBe(1);
      expect(describeFiles(root.folder)).toEqual(before);
      expect(readdirSync(path.join(root.folder, "var/lib/hookwright"))).toContain("store-1.mdb");
    });

    it.runIf(hasRedisServer)(
      "have `hookwright` on the path, which finds the storage and both secrets in files",
      async () => {
        const variables = variablesInFiles.Kubernetes;
        await using redis = await startRedisServer();
        await using store = await openRedisStore({ url: redis.url });
        const [present, next] = [
          "the present secret of 32 characters",
          "the new secret of 32 characters and more",
        ];
        await fillStore(store, { secret: present });
        const write = (name: string, text: string): void => {
          const file = path.join(root.folder, variables[`${name}_FILE`] ?? name);
          mkdirSync(path.dirname(file), { recursive: true });
          writeFileSync(file, text);
        };
        write("HOOKWRIGHT_SECRET", present);
        write("HOOKWRIGHT_SECRET_PREVIOUS", "");
        write("HOOKWRIGHT_HOST_TOKEN", hostToken);
        write("HOOKWRIGHT_METRICS_TOKEN", "token-for-metrics");
        write("HOOKWRIGHT_STORAGE", redis.url);
        const run = (command: string) =>
          runCommand(root, command.split(" "), { ...image.environment, ...variables });

        for (const command of serverCommands()) {
          const { output } = await run(command);
          expect(output).toContain(redis.url);
          expect(output).toMatch(/opens the stored values|nothing is damaged\.$/mu);
        }
        write("HOOKWRIGHT_SECRET_PREVIOUS", present);
        write("HOOKWRIGHT_SECRET", next);
        expect(await run("hookwright rotate-secret")).toMatchObject({
          code: 0,
          output: expect.stringContaining(`rotated the server secret of ${redis.url}`),
        });
        // The token in its file is read, so that the server is asked.
        expect(
          (await run("hookwright operate test --webhook wh_1 --server http://127.0.0.1:1")).output,
        ).toMatch(/cannot reach/u);
      },
    );
  },
);

async function runToEnd(
  root: ImageRoot,
  command: readonly string[],
  environment: Readonly<Record<string, string>>,
): Promise<number | null> {
  return (await runCommand(root, command, environment)).code;
}

async function runCommand(
  root: ImageRoot,
  command: readonly string[],
  environment: Readonly<Record<string, string>>,
): Promise<{ readonly code: number | null; readonly output: string }> {
  const child = root.start(command, environment);
  let output = "";
  for (const stream of [child.stdout, child.stderr])
    stream?.setEncoding("utf8").on("data", (text: string) => (output += text));
  const [code] = await once(child, "close");
  return { code, output };
}

/** All files but those of the data directory, with the time of their last change. */
function describeFiles(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() || entry.isDirectory())
    .map((entry) => path.join(entry.parentPath, entry.name))
    .filter((file) => !file.startsWith(path.join(folder, "var/lib/hookwright")))
    .map((file) => `${path.relative(folder, file)} ${statSync(file).mtimeMs}`);
}
