import { configureGlobal } from "fast-check";

/**
 * The seed of every random test: the same in each run, so that its inputs are never chance. `TEST_SEED` gives another, as
 * `npm run test:long` does.
 */
export const seed = Number(process.env["TEST_SEED"] ?? 20_261_122);

configureGlobal({ seed });
