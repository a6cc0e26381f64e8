import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";

/** The repository. Files are named from here, with slashes. */
export const root = fileURLToPath(new URL("../..", import.meta.url));

export interface Group {
  readonly text: string;
  /** Markdown files, in the order in which they are read. */
  readonly files: readonly string[];
}

const guide = (name: string): string => `docs/guide/${name}.md`;
const decisions = "docs/decisions";
const readme = (name: string): string => `packages/${name}/README.md`;

/** The first page of the site. The first page of the repository is `README.md`. */
export const homePage = "docs/index.md";

/** All pages but the first one. */
export const groups = {
  overview: { text: "Overview", files: ["README.md"] },
  sending: {
    text: "Send webhooks",
    files: [
      guide("running"),
      guide("embedding"),
      guide("own-data"),
      guide("postgres"),
      guide("automation"),
      guide("migrating"),
      guide("storage-adapters"),
    ],
  },
  receiving: {
    text: "Receive webhooks",
    files: [
      guide("laptop"),
      guide("receiving"),
      guide("cli"),
      guide("company-proxies"),
      guide("receivers/python"),
      guide("receivers/go"),
      guide("receivers/php"),
      guide("receivers/ruby"),
      guide("receivers/java"),
      guide("receivers/csharp"),
      guide("receivers/rust"),
    ],
  },
  consoleAndPromises: {
    text: "Console and promises",
    files: [guide("developer-site"), guide("guarantees"), guide("comparison")],
  },
  reference: {
    text: "Reference",
    files: [
      "docs/reference/contract.md",
      "docs/reference/api.md",
      "docs/reference/developer-api.md",
      "docs/reference/host-api.md",
      "docs/reference/events.md",
      "docs/reference/errors.md",
      "docs/reference/rights.md",
      "docs/reference/functions.md",
      "docs/reference/log-lines.md",
    ],
  },
  operations: {
    text: "Operations",
    files: [
      "docs/operations/overview.md",
      "docs/operations/install.md",
      "docs/operations/storage.md",
      "docs/operations/egress.md",
      "docs/operations/commands.md",
      "docs/operations/doctor.md",
      "docs/operations/proxy.md",
      "docs/security.md",
      "docs/operations/erasure.md",
      "docs/operations/secret-rotation.md",
      "docs/operations/monitoring.md",
      "docs/operations/tracing.md",
      "docs/operations/backup.md",
      "docs/operations/check-storage.md",
      "docs/operations/data-protection.md",
      "docs/operations/upgrade.md",
      "docs/operations/capacity.md",
      "docs/operations/runbook.md",
    ],
  },
  packages: {
    text: "Packages",
    files: [
      readme("hookwright"),
      "reference-server/README.md",
      readme("signature"),
      readme("client"),
      readme("cli"),
      readme("msw"),
      readme("storage"),
      readme("api"),
      readme("console"),
      readme("service"),
      readme("delivery"),
      readme("domain"),
      readme("cursor"),
    ],
  },
  contributing: {
    text: "Contributing",
    files: ["docs/README.md", "docs/contributing.md"],
  },
  decisions: {
    text: "Decisions",
    files: readdirSync(path.join(root, decisions)).map((file) => `${decisions}/${file}`),
  },
} as const satisfies Record<string, Group>;

/** Where a file stands on the site: `docs/guide/running.md` at `guide/running.md`. Undefined for what is no page. */
export function toPage(file: string): string | undefined {
  if (file === "README.md") return "overview.md";
  if (file === "docs/README.md") return "contents.md";
  const [, page] =
    /^docs\/((?:guide|reference|operations|decisions)\/(?:[\w-]+\/)?[\w-]+\.md|[\w-]+\.md)$/u.exec(file) ??
    [];
  if (page !== undefined) return page;
  const [, name] = /^(?:packages\/)?([\w-]+)\/README\.md$/u.exec(file) ?? [];
  return name === undefined ? undefined : `packages/${name}.md`;
}

/** The first heading of a page, without its marks. */
export function titleOf(file: string): string {
  const [, title] = /^# (.+)$/mu.exec(readFileSync(path.join(root, file), "utf8")) ?? [];
  if (title === undefined) throw new Error(`${file} has no heading`);
  return title.replaceAll("`", "");
}
