import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { once } from "node:events";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import path from "node:path";
import { PINNED_PNPM } from "../../bootstrap/tools.mjs";

/** A registry whose pnpm is another program, with the right version and a hash that fits. It creates a file when it runs. */
export async function openForgedRegistry({ folder, marker }: { folder: string; marker: string }) {
  const source = path.join(folder, "package");
  mkdirSync(source);
  const program = `require("node:fs").writeFileSync(${JSON.stringify(marker)}, ""); console.log("${PINNED_PNPM}");`;
  const manifest = { name: `@pnpm/exe.${process.platform}-${process.arch}`, version: PINNED_PNPM };
  writeFileSync(path.join(source, "package.json"), JSON.stringify(manifest));
  writeFileSync(path.join(source, "pnpm"), `#!/usr/bin/env node\n${program}`, { mode: 0o755 });
  spawnSync("tar", ["-czf", "forged.tgz", "package"], { cwd: folder });
  const tarball = readFileSync(path.join(folder, "forged.tgz"));
  const integrity = `sha512-${createHash("sha512").update(tarball).digest("base64")}`;

  let requests = 0;
  const server = createServer((request, response) => {
    requests += 1;
    if (request.url === "/forged.tgz") return response.end(tarball);
    if (request.url !== `/${manifest.name.replace("/", "%2f")}`) return response.writeHead(404).end("{}");
    const dist = { tarball: `${url}forged.tgz`, integrity };
    return response.end(
      JSON.stringify({
        name: manifest.name,
        "dist-tags": { latest: PINNED_PNPM },
        versions: { [PINNED_PNPM]: { ...manifest, dist } },
      }),
    );
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  const url = `http://127.0.0.1:${typeof address === "object" ? address?.port : ""}/`;
  return {
    url,
    requests: () => requests,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
    },
  };
}
