// A delivery worker over a fake endpoint, from the tests of `@hookwright/delivery`. It is not published.
export { answered } from "../../../delivery/test/support/fake-transport.ts";
export { accountId, createWorld, partition } from "../../../delivery/test/support/fake-world.ts";
export type { World } from "../../../delivery/test/support/fake-world.ts";
