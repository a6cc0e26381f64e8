import { execFileSync, spawn } from "node:child_process";
import type { ChildProcess } from "node:child_process";
import { chmod, chown, copyFile, mkdir, mkdtemp, readFile, realpath, rm, symlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { DockerfileParser } from "dockerfile-ast";
import { ensurePnpm } from "../../../scripts/bootstrap/tools.mjs";
import { run } from "../../../scripts/bootstrap/processes.mjs";

const root = fileURLToPath(new URL("../../..", import.meta.url));
const file = path.join(root, "reference-server/deploy/image/Dockerfile");

/** That of the base image. */
const searchPath = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin";

/** What the Dockerfile says about the final stage. */
export interface Image {
  readonly text: string;
  readonly environment: Readonly<Record<string, string>>;
  readonly labels: Readonly<Record<string, string>>;
  readonly user: string;
  readonly workingDirectory: string;
  readonly stopSignal: string;
  readonly entrypoint: readonly string[];
  readonly command: readonly string[];
  readonly healthcheck: readonly string[];
  /** The symbolic links that the final stage makes: where each leads to, and its path. */
  readonly links: readonly (readonly [string, string])[];
  /** The arguments of pnpm in the build stage. */
  readonly deploy: readonly string[];
}

/** A folder with the files of the final stage. In place of the base image it has Node and its libraries only. */
export interface ImageRoot extends AsyncDisposable {
  readonly folder: string;
  /** Runs a command in this folder as the user of the image. */
  start(command: readonly string[], environment: Readonly<Record<string, string>>): ChildProcess;
}

export async function readImage(): Promise<Image> {
  const text = await readFile(file, "utf8");
  const instructions = DockerfileParser.parse(text)
    .getInstructions()
    .map((each) => ({ keyword: each.getKeyword(), arguments: each.getRawArgumentsContent() ?? "" }));
  const stage = instructions.slice(instructions.findLastIndex(({ keyword }) => keyword === "FROM") + 1);
  const valueOf = (keyword: string): string =>
    stage.findLast((each) => each.keyword === keyword)?.arguments ?? "";
  const [, healthcheck = "[]"] = /CMD (\[.*\])$/su.exec(valueOf("HEALTHCHECK")) ?? [];
  const [, deploy = ""] = /tool pnpm (.*?) &&/su.exec(text) ?? [];
  return {
    text,
    environment: toPairs(valueOf("ENV")),
    labels: toPairs(valueOf("LABEL")),
    user: valueOf("USER"),
    workingDirectory: valueOf("WORKDIR"),
    stopSignal: valueOf("STOPSIGNAL"),
    entrypoint: JSON.parse(valueOf("ENTRYPOINT")),
    command: JSON.parse(valueOf("CMD")),
    healthcheck: JSON.parse(healthcheck),
    links: stage.filter(({ keyword }) => keyword === "RUN").map((each) => toLink(each.arguments)),
    deploy: deploy.replaceAll("\\\n", " ").trim().split(/\s+/u),
  };
}

/** The final stage runs nothing else, because the folder of the test has no shell. */
function toLink(command: string): readonly [string, string] {
  const [, target, link] = /^ln -s (\S+) (\S+)$/u.exec(command) ?? [];
  if (target === undefined || link === undefined) throw new Error(`cannot interpret RUN ${command}`);
  return [target, link];
}

function toPairs(text: string): Record<string, string> {
  const pairs = text.matchAll(/([\w.]+)=(?:"([^"]*)"|(\S+))/gu);
  return Object.fromEntries([...pairs].map(([, name = "", quoted, bare]) => [name, quoted ?? bare ?? ""]));
}

/** Runs the steps of the image in an empty folder. Only root may change the root directory of a process. */
export async function buildImageRoot(image: Image): Promise<ImageRoot> {
  const folder = await mkdtemp(path.join(tmpdir(), "hookwright-image-"));
  const remove = () => rm(folder, { recursive: true, force: true, maxRetries: 3 });
  try {
    await chmod(folder, 0o755);
    const app = path.join(folder, "app");
    const args = image.deploy.map((argument) => (argument === "/app" ? app : argument));
    // The packages are in the store of pnpm since the workspace was installed.
    const deployed = await run(await ensurePnpm(), [...args, "--offline"], {
      cwd: root,
      env: process.env,
      capture: true,
    });
    if (deployed.code !== 0) throw new Error(deployed.output);
    await copyProgram(folder, await realpath(process.execPath), "/usr/local/bin/node");
    // The first line of the command names it.
    await copyProgram(folder, "/usr/bin/env", "/usr/bin/env");
    for (const [target, link] of image.links) await symlink(target, path.join(folder, link));
    const data = path.join(folder, image.workingDirectory);
    await mkdir(data, { recursive: true });
    const [userId = 0, groupId = 0] = image.user.split(":").map(Number);
    await chown(data, userId, groupId);
  } catch (error) {
    await remove();
    throw error;
  }
  return {
    folder,
    start: (command, environment) =>
      spawn("chroot", [`--userspec=${image.user}`, folder, ...command], {
        env: { PATH: searchPath, ...environment },
        stdio: ["ignore", "pipe", "pipe"],
      }),
    [Symbol.asyncDispose]: remove,
  };
}

/** Copies a program with its libraries. */
async function copyProgram(folder: string, from: string, to: string): Promise<void> {
  const libraries = execFileSync("ldd", [from], { encoding: "utf8" }).match(/\/\S+/gu) ?? [];
  for (const library of libraries) {
    await mkdir(path.join(folder, path.dirname(library)), { recursive: true });
    await copyFile(library, path.join(folder, library));
  }
  await mkdir(path.join(folder, path.dirname(to)), { recursive: true });
  await copyFile(from, path.join(folder, to));
}
