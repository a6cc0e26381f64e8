import "./bootstrap/require-node-18.mjs";
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import process from "node:process";

const { BootstrapError } = await import("./bootstrap/bootstrap-error.mjs");
const { describeFailure } = await import("./bootstrap/describe-failure.mjs");
const { main } = await import("./bootstrap/main.mjs");
const { prepare } = await import("./bootstrap/prepare.mjs");
const { createProgress } = await import("./bootstrap/progress.mjs");
const { isHelpShown, refuseArguments } = await import("./bootstrap/read-arguments.mjs");
const { ROOT } = await import("./bootstrap/root.mjs");
const { ensurePnpm } = await import("./bootstrap/toolchain.mjs");
const { readManifest, readWorkspace } = await import("./bootstrap/workspace.mjs");
const { followEmbedding } = await import("./guides/follow-embedding.mjs");
const { followReceiving } = await import("./guides/follow-receiving.mjs");
const { installGuidePackages } = await import("./guides/install-guide-packages.mjs");
const { readGuide } = await import("./guides/read-guide.mjs");
const { packPackages } = await import("./packing/pack-packages.mjs");

const usage = `node scripts/follow-guides.mjs

Follows the guides of embedding and receiving in empty folders, as a reader does: installs what their commands say, with our
packages from tarballs and the others from npm's registry, saves their files, starts each server, and types their commands.`;

const GUIDES = [
  { name: "embedding", follow: followEmbedding },
  { name: "receiving", follow: followReceiving },
];

/** Servers at once. Each waits for most of its time. */
const AT_ONCE = 3;

await main(async () => {
  const args = process.argv.slice(2);
  if (isHelpShown({ args, usage })) return;
  refuseArguments({ args, command: "node scripts/follow-guides.mjs" });
  const progress = createProgress();
  const { node, env: toolEnv } = await prepare({
    root: ROOT,
    build: { of: "all", kind: "javascript" },
    progress,
  });
  const pnpm = await ensurePnpm({ root: ROOT, env: toolEnv, progress });
  // The reader has no workspace around, and is not in CI.
  const { CI: _, ...env } = process.env;
  const folder = mkdtempSync(path.join(os.tmpdir(), "hookwright-guides-"));
  try {
    const workspace = readWorkspace(ROOT);
    const packed = await packPackages({ workspace, folder: path.join(folder, "packed"), pnpm, env: toolEnv });
    const frameworks = readManifest(path.join(ROOT, "docs")).dependencies ?? {};
    /** @type {(() => Promise<void>)[]} */
    const works = [];
    /** @type {string[]} */
    const failures = [];
    await Promise.all(
      GUIDES.map(async ({ name, follow }) => {
        const guide = readGuide(path.join(ROOT, "docs", "guide", `${name}.md`), `docs/examples/${name}/`);
        if (guide.servers.length === 0) throw new BootstrapError(`docs/guide/${name}.md shows no server.`);
        const home = path.join(folder, name);
        await progress.step(`${name}: what the guide installs`, () =>
          installGuidePackages({ guide, home, workspace, packed, frameworks, env }),
        );
        for (const server of guide.servers) {
          // Each below what is installed, so that no server finds what another has stored.
          const own = path.join(home, "started", server.replace(/\W/g, "-"));
          mkdirSync(own, { recursive: true });
          works.push(() =>
            progress
              .step(`${name}: ${server}`, () => follow({ guide, server, folder: own, node, env }))
              .catch((error) => void failures.push(describeFailure(error) ?? String(error))),
          );
        }
      }),
    );
    await Promise.all(Array.from({ length: AT_ONCE }, () => workThrough(works)));
    for (const failure of failures) process.stderr.write(`\n${failure}\n`);
    return failures.length === 0 ? 0 : 1;
  } finally {
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  }
});

/** @param {(() => Promise<void>)[]} works */
async function workThrough(works) {
  for (let work = works.shift(); work !== undefined; work = works.shift()) await work();
}
