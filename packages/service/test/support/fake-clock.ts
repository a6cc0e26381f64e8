// `@hookwright/delivery` does not export its fake clock, so the tests import the file.
export { createFakeClock, rest } from "../../../delivery/test/support/fake-clock.ts";
