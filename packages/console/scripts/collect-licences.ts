import { existsSync, readFileSync, readdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import process from "node:process";

/**
 * Writes `site/public/LICENSES.txt`: the licences of all third-party code in the site. Scalar's bundle contains its
 * dependencies, which are not installed here. Install them in another folder first and pass that folder:
 *
 * cd "$(mktemp -d)" && npm install --ignore-scripts @scalar/api-reference@<version> && pwd node
 * packages/console/scripts/collect-licences.ts <that folder>
 */
const [folder] = process.argv.slice(2);
if (folder === undefined) throw new Error("Pass the folder in which @scalar/api-reference is installed.");

interface Manifest {
  readonly name?: string;
  readonly version?: string;
  readonly license?: string;
}

interface Notice {
  readonly title: string;
  readonly text: string;
}

const here = path.join(import.meta.dirname, "..");
const ofConsole = ["preact", "lucide"].map((name) => readNotice(path.join(here, "node_modules", name)));
const scalar = listPackages(path.join(folder, "node_modules")).map(readNotice);

/** Each common licence is printed once, after the list of its copyright holders. */
const shared = [
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

const sections: string[] = [];
const notices = [...ofConsole, ...scalar];
for (const { name, short, begins } of shared) {
  const under = notices.filter(({ text }) => text === short || text.includes(begins));
  const whole = under.find(({ text }) => text.includes(begins))?.text;
  const full = whole?.slice(whole.indexOf(begins));
  if (full === undefined) continue;
  sections.push([name, under.map(describeHolder).sort().join("\n"), full].join("\n\n"));
}
const isShared = (text: string): boolean =>
  shared.some(({ short, begins }) => text === short || text.includes(begins));
for (const { title, text } of notices) if (!isShared(text)) sections.push(`${title}\n\n${text}`);

const rule = `\n\n${"-".repeat(80)}\n\n`;
const preface =
  "Licences of the third-party code in the developer site.\n\n" +
  "console.js contains Preact and icons of Lucide. scalar.js is the browser bundle of @scalar/api-reference. It contains that package\n" +
  "and parts of its dependencies, which are all listed here.";
writeFileSync(path.join(here, "site", "public", "LICENSES.txt"), `${[preface, ...sections].join(rule)}\n`);

/** For example `vue 3.5.40: Copyright (c) 2018-present, Yuxi (Evan) You`. */
function describeHolder({ title, text }: Notice): string {
  const holders = text
    .split("\n")
    .filter(
      (line) => /^\s*(?:copyright|\(c\)|©)/iu.test(line) && !/notice|owner|licen[cs]e|holders/iu.test(line),
    );
  return holders.length === 0 ? title : `${title}: ${holders.map((line) => line.trim()).join("; ")}`;
}

function readNotice(packageFolder: string): Notice {
  const {
    name = path.basename(packageFolder),
    version = "",
    license = "",
  }: Manifest = JSON.parse(readFileSync(path.join(packageFolder, "package.json"), "utf8"));
  const file = readdirSync(packageFolder).find((each) => /^(?:licen[cs]e|copying)/iu.test(each));
  const text =
    file === undefined ? `Licence: ${license}` : readFileSync(path.join(packageFolder, file), "utf8").trim();
  return { title: `${name} ${version}`, text };
}

/** Lists every package in a node_modules folder, including scoped ones. npm nests none of these. */
function listPackages(modules: string): string[] {
  return readdirSync(modules)
    .filter((name) => !name.startsWith("."))
    .flatMap((name) =>
      name.startsWith("@")
        ? readdirSync(path.join(modules, name)).map((inner) => path.join(modules, name, inner))
        : [path.join(modules, name)],
    )
    .filter((packageFolder) => existsSync(path.join(packageFolder, "package.json")));
}
