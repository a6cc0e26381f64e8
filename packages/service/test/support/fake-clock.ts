// The clock that the tests of deliveries have; it is no part of what that package publishes.
export { createFakeClock, rest } from "../../../delivery/test/support/fake-clock.ts";
