import { openSync } from "node:fs";
import { devNull } from "node:os";
import { createGuardedLookup } from "../../../src/transport/guarded-lookup.ts";
import { isLackOfDescriptors } from "../../../src/transport/lack-of-descriptors.ts";
import { createSystemResolver } from "../../../src/transport/system-resolver.ts";

/** Looks up the name that it is given once it has opened all the files it may. */
const [hostname = ""] = process.argv.slice(2);
const lookup = createGuardedLookup(createSystemResolver());
// What is loaded lazily needs files as well.
process.stdout.write("");

try {
  for (;;) openSync(devNull, "r");
} catch {
  lookup(hostname, { all: true }, (error) => {
    process.stdout.write(isLackOfDescriptors(error) ? "a lack of descriptors" : String(error));
  });
}
