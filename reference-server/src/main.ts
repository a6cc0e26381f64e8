#!/usr/bin/env node
// An old Node must be able to run this file, to say what is missing: it imports nothing statically and its syntax is old.
// `engines` in package.json names the same version.
const oldestMajor = 22;
const oldestMinor = 18;

const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);
if (major < oldestMajor || (major === oldestMajor && minor < oldestMinor)) {
  process.stderr.write(
    `hookwright needs Node ${oldestMajor}.${oldestMinor} or newer, but this is Node ${process.versions.node} (${process.execPath}): install a newer Node from https://nodejs.org and run the command again.\n`,
  );
  process.exitCode = 1;
} else {
  void import("./run-process.ts");
}
