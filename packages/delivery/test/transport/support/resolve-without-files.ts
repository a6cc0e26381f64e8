import { openSync } from "node:fs";
import { devNull } from "node:os";
import {
  createCheckedLookup,
  createSystemResolver,
  isDescriptorShortage,
} from "../../../src/transport/dns-lookup.ts";

/** Opens as many files as allowed, then resolves a name. */
const [hostname = ""] = process.argv.slice(2);
const lookup = createCheckedLookup(createSystemResolver());
// Modules that are loaded lazily need files as well.
process.stdout.write("");

try {
  for (;;) openSync(devNull, "r");
} catch {
  lookup(hostname, { all: true }, (error) => {
    process.stdout.write(isDescriptorShortage(error) ? "too many open files" : String(error));
  });
}
