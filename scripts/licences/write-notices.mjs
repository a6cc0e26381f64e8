import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { ScriptError } from "../bootstrap/errors.mjs";
import { readManifest, ROOT } from "../bootstrap/workspace.mjs";
import { NOTICES } from "./check-licences.mjs";
import { isAllowed } from "./is-allowed.mjs";

/** @typedef {{ title: string, text: string }} Notice */

/** Each common licence is written once, after the list of its copyright holders. */
const SHARED = [
  { name: "The MIT License", short: "Licence: MIT", begins: "Permission is hereby granted, free of charge" },
  {
    name: "The Apache License, version 2.0",
    short: "Licence: Apache-2.0",
    begins: "TERMS AND CONDITIONS FOR USE",
  },
  {
    name: "The ISC License",
    short: "Licence: ISC",
    begins: "Permission to use, copy, modify, and/or distribute",
  },
];

const PREFACE =
  "Licences of the third-party code in the developer site.\n\n" +
  "console.js contains Preact and icons of Lucide. geist.woff2 is the font Geist. scalar.js is the browser bundle of @scalar/api-reference. It contains that package\n" +
  "and parts of its dependencies, which are all listed here.";

/**
 * Writes the licences of all third-party code in the developer site. The bundle of Scalar contains its dependencies, which are not
 * installed in this workspace.
 *
 * @param {string} folder Where @scalar/api-reference is installed with its dependencies.
 */
export function writeNotices(folder) {
  const own = ["preact", "lucide", "@fontsource-variable/geist"].map((name) =>
    path.join(ROOT, "packages/console/node_modules", name),
  );
  const folders = [...own, ...listPackages(path.join(folder, "node_modules"))];
  const refused = folders
    .map((each) => ({ each, license: readManifest(each).license }))
    .filter(({ license }) => !isAllowed(license))
    .map(({ each, license }) => `${path.basename(each)}: ${String(license)}`);
  if (refused.length > 0) throw new ScriptError(`These licences are not allowed:\n\n${refused.join("\n")}`);

  const notices = folders.map(readNotice);
  /** @type {string[]} */
  const sections = [];
  for (const { name, short, begins } of SHARED) {
    const under = notices.filter(({ text }) => text === short || text.includes(begins));
    const whole = under.find(({ text }) => text.includes(begins))?.text;
    const full = whole?.slice(whole.indexOf(begins));
    if (full === undefined) continue;
    sections.push([name, under.map(describeHolder).sort().join("\n"), full].join("\n\n"));
  }
  const isShared = (/** @type {string} */ text) =>
    SHARED.some(({ short, begins }) => text === short || text.includes(begins));
  for (const { title, text } of notices) if (!isShared(text)) sections.push(`${title}\n\n${text}`);
  writeFileSync(NOTICES, `${[PREFACE, ...sections].join(`\n\n${"-".repeat(80)}\n\n`)}\n`);
}

/** For example `vue 3.5.40: Copyright (c) 2018-present, Yuxi (Evan) You`. @param {Notice} notice */
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

/** Every package in a node_modules folder, including scoped ones. npm nests none of these. @param {string} modules */
function listPackages(modules) {
  return readdirSync(modules)
    .filter((name) => !name.startsWith("."))
    .flatMap((name) =>
      name.startsWith("@")
        ? readdirSync(path.join(modules, name)).map((inner) => path.join(modules, name, inner))
        : [path.join(modules, name)],
    )
    .filter((folder) => existsSync(path.join(folder, "package.json")));
}
