#!/usr/bin/env node
// An old Node must be able to run this file and print the error. So it has old syntax and no static imports.
// `engines` in package.json has the same version.
const oldestMajor = 22;
const oldestMinor = 18;

const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);
if (major < oldestMajor || (major === oldestMajor && minor < oldestMinor)) {
  process.stderr.write(
    `hookwright needs Node ${oldestMajor}.${oldestMinor} or newer, but this is Node ${process.versions.node} (${process.execPath}). Install a newer Node and run the command again.\n`,
  );
  process.exitCode = 2;
} else {
  import("./run-process.ts").catch(function (error) {
    process.stderr.write(
      `hookwright cannot start: ${String(error)}. Install it again, or report it: https://github.com/hookwright/hookwright/issues\n`,
    );
    process.exitCode = 3;
  });
}
