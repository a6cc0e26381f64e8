import { execFileSync } from "node:child_process";
import { once } from "node:events";
import { cp, mkdir, readFile, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { connect } from "node:tls";
import { fileURLToPath } from "node:url";
import {
  makeServiceFolder,
  startService,
  type ServiceOptions,
} from "../../../packages/storage/test/support/service.ts";
import { findFreePort } from "../../../packages/storage/test/support/free-port.ts";

/** A proxy with a configuration that we ship. Only ports, names and certificates differ. */
export interface Proxy extends AsyncDisposable {
  readonly httpPort: number;
  readonly httpsPort: number;
  /** The certificate that clients must trust. */
  readonly ca: string;
}

export interface ProxyOptions {
  /** Whether the server is below `/hooks`. */
  readonly isBelowPath: boolean;
  /** Whether a site owner has turned on compression. @default false */
  readonly isCompressing?: boolean;
  /** Host and port of the server. */
  readonly upstream: string;
}

const shipped = fileURLToPath(new URL("../../deploy", import.meta.url));

export async function startCaddy({ isBelowPath, isCompressing, upstream }: ProxyOptions): Promise<Proxy> {
  const folder = await makeServiceFolder("hookwright-caddy-");
  const [httpPort, httpsPort] = [await findFreePort(), await findFreePort()];
  await cp(path.join(shipped, "caddy"), folder, { recursive: true });
  const config = path.join(folder, isBelowPath ? "base-path.caddy" : "Caddyfile");
  if (isCompressing) {
    const text = await readFile(config, "utf8");
    await writeFile(config, text.replace("\timport hookwright\n", "\tencode gzip\n\timport hookwright\n"));
  }
  const authority = path.join(folder, "caddy/pki/authorities/local/root.crt");
  const stop = await startProxy(folder, {
    name: "Caddy",
    program: "caddy",
    args: ["run", "--config", config, "--adapter", "caddyfile"],
    env: {
      PATH: process.env["PATH"],
      HOME: folder,
      XDG_DATA_HOME: folder,
      XDG_CONFIG_HOME: folder,
      HOOKWRIGHT_SITE: "localhost",
      HOOKWRIGHT_UPSTREAM: upstream,
      HOOKWRIGHT_HTTP_PORT: String(httpPort),
      HOOKWRIGHT_HTTPS_PORT: String(httpsPort),
    },
    // It creates the certificates after its start.
    async ready() {
      await fetch(`http://127.0.0.1:${httpPort}`, { redirect: "manual" });
      await shakeHands(httpsPort, await readFile(authority, "utf8"));
    },
  });
  return { httpPort, httpsPort, ca: await readFile(authority, "utf8"), [Symbol.asyncDispose]: stop };
}

export async function startNginx({ isBelowPath, isCompressing, upstream }: ProxyOptions): Promise<Proxy> {
  const folder = await makeServiceFolder("hookwright-nginx-");
  const [httpPort, httpsPort] = [await findFreePort(), await findFreePort()];
  const [certificate, key] = [path.join(folder, "fullchain.pem"), path.join(folder, "privkey.pem")];
  createCertificate(certificate, key);
  const site = isBelowPath ? "base-path.conf" : "hookwright.conf";
  const text = await readFile(path.join(shipped, "nginx", site), "utf8");
  const adapted = text
    .replaceAll(/\/etc\/ssl\/hookwright\/[\w.]+/gu, (file) => `"${folder}/${path.basename(file)}"`)
    .replaceAll(/^ +listen \[::\].*\n/gmu, "")
    .replaceAll("listen 443", `listen 127.0.0.1:${httpsPort}`)
    .replaceAll("listen 80", `listen 127.0.0.1:${httpPort}`)
    .replaceAll(/server_name .*;/gu, "server_name localhost;")
    .replaceAll("server 127.0.0.1:3000", `server ${upstream}`);
  await mkdir(path.join(folder, "conf.d"));
  await writeFile(path.join(folder, "conf.d", site), adapted);
  await cp(path.join(shipped, "nginx/snippets"), path.join(folder, "snippets"), { recursive: true });
  const temporary = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"];
  // Its workers would otherwise be nobody, to whom the folder is closed.
  const user = process.getuid?.() === 0 ? "user root;" : "";
  const compression = isCompressing ? "gzip on; gzip_proxied any; gzip_types application/json;" : "";
  const main = `${user} daemon off; pid pid; worker_processes 1; error_log error.log;
    events {}
    http { access_log off; ${compression} ${temporary.map((name) => `${name}_temp_path ${name};`).join(" ")} include conf.d/*.conf; }`;
  await writeFile(path.join(folder, "nginx.conf"), main);
  const port = isBelowPath ? httpsPort : httpPort;
  const stop = await startProxy(folder, {
    name: "nginx",
    program: "nginx",
    args: ["-p", folder, "-c", "nginx.conf", "-e", "error.log"],
    env: { PATH: process.env["PATH"] },
    ready: () => fetch(`http://127.0.0.1:${port}`, { redirect: "manual" }),
  });
  return { httpPort, httpsPort, ca: await readFile(certificate, "utf8"), [Symbol.asyncDispose]: stop };
}

/** Returns a function that ends the program and removes its folder. */
async function startProxy(folder: string, options: ServiceOptions): Promise<() => Promise<void>> {
  const remove = () => rm(folder, { recursive: true, force: true, maxRetries: 3 });
  try {
    // SIGKILL would leave the workers of nginx behind.
    const service = await startService({ ...options, lastSignal: "SIGTERM" });
    return async () => {
      await service.end("SIGTERM");
      await remove();
    };
  } catch (error) {
    await remove();
    throw error;
  }
}

function createCertificate(certificate: string, key: string): void {
  const subject = ["-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost"];
  execFileSync(
    "openssl",
    // prettier-ignore
    ["req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2",
      ...subject, "-keyout", key, "-out", certificate],
    { stdio: "ignore" },
  );
}

async function shakeHands(port: number, ca: string): Promise<void> {
  const socket = connect({ host: "127.0.0.1", port, servername: "localhost", ca });
  try {
    await once(socket, "secureConnect");
  } finally {
    socket.destroy();
  }
}
