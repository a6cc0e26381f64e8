import { existsSync, globSync, readFileSync } from "node:fs";
import path from "node:path";
import { expect, it } from "vitest";
import { toAnchor } from "../../docs/.vitepress/to-anchor.ts";
import { ROOT } from "../bootstrap/workspace.mjs";

const pages = globSync(["*.md", "packages/*/*.md", "reference-server/*.md", "docs/**/*.md"], {
  cwd: ROOT,
  exclude: (name) => name.endsWith("node_modules"),
});

it.each(pages)("%s has no broken links", (page) => {
  const text = readFileSync(path.join(ROOT, page), "utf8").replaceAll(/^(`{3,})[\s\S]*?^\1[ \t]*$/gmu, "");
  const links = [...text.matchAll(/\]\((?!https?:)([^)\s]+)\)/gu)].map(([, link = ""]) => link);
  expect(links.filter((link) => !leadsSomewhere(page, link))).toEqual([]);
});

it("comments name headings of the contract, and sections only of RFCs", () => {
  const sources = globSync(["packages/*/{src,site}/**/*.{ts,tsx}", "reference-server/src/**/*.ts"], {
    cwd: ROOT,
  });
  const text = sources.map((source) => readFileSync(path.join(ROOT, source), "utf8")).join("\n");
  const named = [...text.matchAll(/\(contract: ([^)]+)\)/gu)].map(([, heading = ""]) => heading);
  const contract = readFileSync(path.join(ROOT, "docs/reference/contract.md"), "utf8");
  const headings = new Set([...contract.matchAll(/^## (.+)$/gmu)].map(([, heading = ""]) => heading));
  expect(named.filter((heading) => !headings.has(heading))).toEqual([]);
  expect(named.length).toBeGreaterThan(50);
  expect(text.split("\n").filter((line) => line.includes("§") && !line.includes("RFC"))).toEqual([]);
});

function leadsSomewhere(page: string, link: string): boolean {
  const [file = "", heading] = link.split("#");
  const target = file === "" ? path.join(ROOT, page) : path.join(ROOT, path.dirname(page), file);
  if (!existsSync(target)) return false;
  if (heading === undefined) return true;
  // A link to a folder shows its README.
  const shown = path.extname(target) === "" ? path.join(target, "README.md") : target;
  const headings = readFileSync(shown, "utf8").matchAll(/^#{1,6} (.+)$/gmu);
  return [...headings].some(([, text = ""]) => toAnchor(text) === heading);
}
