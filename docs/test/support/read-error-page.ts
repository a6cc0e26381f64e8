import { readFileSync } from "node:fs";

export interface ErrorOnPage {
  readonly code: string;
  /** The statuses of its table row. The usual status is first. */
  readonly statuses: readonly number[];
  readonly request: HttpBlock;
}

export interface HttpBlock {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | undefined;
}

const page = new URL("../../reference/errors.md", import.meta.url);

/** The error codes of the page, each with a request that causes the error. */
export function readErrorPage(): ErrorOnPage[] {
  const text = readFileSync(page, "utf8");
  const rows = [...text.matchAll(/^\| \[`(\w+)`\]\(#\1\) \| ([\d, ]+) \|/gm)];
  return rows.map(([, code = "", statuses = ""]) => {
    const block = new RegExp(`^### ${code}\\n\\n\`\`\`http\\n([\\s\\S]*?)\`\`\``, "m").exec(text)?.[1];
    if (block === undefined) throw new Error(`${code} has no request on the page`);
    return { code, statuses: statuses.split(",").map(Number), request: parseBlock(block) };
  });
}

function parseBlock(block: string): HttpBlock {
  const [head = "", ...body] = block.trim().split("\n\n");
  const [start = "", ...lines] = head.split("\n");
  const [method = "", path = ""] = start.split(" ");
  const headers = Object.fromEntries(
    lines.map((line) => {
      const colon = line.indexOf(": ");
      return [line.slice(0, colon), line.slice(colon + 2)];
    }),
  );
  return { method, path, headers, body: body.length === 0 ? undefined : body.join("\n\n") };
}
