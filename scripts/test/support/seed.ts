import { configureGlobal } from "fast-check";

/**
 * The seed of every random test: the same in each run, so that its inputs are never chance. `TEST_SEED` gives another, as
 * `npm run test:long` does.
 */
export const seed = Number(process.env["TEST_SEED"] ?? 20_261_122);

configureGlobal({ seed });

/** A new seed plays this many times as many inputs. With the same seed again, few of them find what many would. */
export const more = process.env["TEST_SEED"] === undefined ? 1 : 4;
