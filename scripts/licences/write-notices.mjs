import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { ScriptError } from "../bootstrap/errors.mjs";
import { readManifest, readWorkspace } from "../bootstrap/workspace.mjs";
import { NOTICES } from "./check-licences.mjs";
import { isAllowed } from "./is-allowed.mjs";
import { BUNDLED } from "./list-shipped.mjs";

/** @typedef {{ title: string, text: string }} Notice */

/** Each common licence is written once, after the list of its copyright holders. */
const SHARED = [
  { name: "The MIT License", short: "Licence: MIT", begins: "Permission is hereby granted, free of charge" },
  {
    name: "The ISC License",
    short: "Licence: ISC",
    begins: "Permission to use, copy, modify, and/or distribute",
  },
];

const PREFACE =
  "Licences of the third-party code in the developer site.\n\n" +
  "The code contains Preact and icons of Lucide. geist.woff2 is the font Geist.";

/** Writes the licences of all third-party code in the developer site. */
export function writeNotices() {
  const folders = [...BUNDLED].flatMap(([owner, names]) => {
    const folder = readWorkspace().find(({ name }) => name === owner)?.folder ?? "";
    return names.map((name) => path.join(folder, "node_modules", name));
  });
  const refused = folders
    .map((each) => ({ each, license: readManifest(each).license }))
    .filter(({ license }) => !isAllowed(license))
    .map(({ each, license }) => `${path.basename(each)}: ${String(license)}`);
  if (refused.length > 0) throw new ScriptError(`These licences are not allowed:\n\n${refused.join("\n")}`);

  const notices = folders.map(readNotice);
  /** @type {string[]} */
  const sections = [];
  for (const { name, short, begins } of SHARED) {
    const under = notices.filter(({ text }) => isUnder(text, { short, begins }));
    const whole = under.find(({ text }) => text.includes(begins))?.text;
    const full = whole?.slice(whole.indexOf(begins));
    if (full === undefined) continue;
    sections.push([name, under.map(describeHolder).sort().join("\n"), full].join("\n\n"));
  }
  const isShared = (/** @type {string} */ text) => SHARED.some((licence) => isUnder(text, licence));
  for (const { title, text } of notices) if (!isShared(text)) sections.push(`${title}\n\n${text}`);
  writeFileSync(NOTICES, `${[PREFACE, ...sections].join(`\n\n${"-".repeat(80)}\n\n`)}\n`);
}

/** The licence of fonts begins like that of MIT. @param {string} text @param {{ short: string, begins: string }} licence */
function isUnder(text, { short, begins }) {
  return text === short || (text.includes(begins) && !text.includes("SIL OPEN FONT LICENSE"));
}

/** For example `preact 11.2.0: Copyright (c) 2015-present Jason Miller`. @param {Notice} notice */
function describeHolder({ title, text }) {
  const holders = text
    .split("\n")
    .filter((line) => /^\s*(?:copyright|\(c\)|©)/iu.test(line))
    .filter((line) => !/notice|owner|licen[cs]e|holders/iu.test(line));
  return holders.length === 0 ? title : `${title}: ${holders.map((line) => line.trim()).join("; ")}`;
}

/** @param {string} folder @returns {Notice} */
function readNotice(folder) {
  const { name = path.basename(folder), version = "", license } = readManifest(folder);
  const file = readdirSync(folder).find((each) => /^(?:licen[cs]e|copying)/iu.test(each));
  const text =
    file === undefined ? `Licence: ${String(license)}` : readFileSync(path.join(folder, file), "utf8").trim();
  return { title: `${name} ${version}`, text };
}
