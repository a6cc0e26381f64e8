import { readFileSync } from "node:fs";
import { splitCommands } from "./split-commands.mjs";

/**
 * @typedef {{ name: string, code: string }} GuideFile `name`: its path below the folder of the guide's examples.
 *
 * @typedef {{
 *   files: GuideFile[],
 *   servers: string[],
 *   commands: string[],
 *   prose: string,
 * }} Guide
 *   `servers`: the names of files that listen on a port; `commands`: those of shell blocks, and installations that stand in a sentence.
 */

const FENCE = /^(`{3,})(\w*)[ \t]*(.*)\n([\s\S]*?)^\1[ \t]*$/gm;

/**
 * What a guide tells its reader to save and to type. Files are the blocks that say `file=docs/examples/<name of the guide>/…`.
 *
 * @param {string} page
 * @param {string} examples Such as `docs/examples/embedding/`.
 * @returns {Guide}
 */
export function readGuide(page, examples) {
  const text = readFileSync(page, "utf8");
  const blocks = [...text.matchAll(FENCE)].map(({ 2: language = "", 3: info = "", 4: code = "", index }) => ({
    language,
    file: /(?:^|\s)file=(\S+)/.exec(info)?.[1] ?? "",
    code,
    index,
  }));
  const files = blocks
    .filter(({ file }) => file.startsWith(examples))
    .map(({ file, code }) => ({ name: file.slice(examples.length), code }));
  const prose = text.replaceAll(FENCE, "");
  return {
    files,
    // A file in a folder of its own belongs to a framework that builds it.
    servers: files
      .filter(({ name, code }) => !name.includes("/") && /\b(?:listen|serve)\(/.test(code))
      .map(({ name }) => name),
    commands: [
      ...blocks
        .filter(({ language }) => /^(?:sh|bash|shell)$/.test(language))
        .flatMap(({ code }) => splitCommands(code)),
      ...[...prose.matchAll(/`(npm install [^`]+)`/g)].map(([, command = ""]) => command),
    ],
    prose,
  };
}

/** Such as `node` of `SECRET=1 node server.ts`. @param {string} command */
export function programOf(command) {
  return /^(?:\w+=\S*\s+)*(\S+)/.exec(command)?.[1] ?? "";
}
