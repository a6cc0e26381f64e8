import { registerHooks } from "node:module";

/**
 * Preloaded into servers under test: packages of the workspace resolve to their sources, by the same rule as for vitest and
 * the compiler, and Node strips the types. So a real process runs what is in the tree, without a build that may be stale.
 */
const packages = new URL("../../../packages/", import.meta.url);

registerHooks({
  resolve(specifier, context, nextResolve) {
    const [, name, subpath = "index"] = /^(?:@hookwright\/)?([a-z]+)(?:\/(.+))?$/u.exec(specifier) ?? [];
    const isOurs = specifier === "hookwright" || specifier.startsWith("@hookwright/");
    if (!isOurs || name === undefined) return nextResolve(specifier, context);
    return nextResolve(new URL(`${name}/src/${subpath}.ts`, packages).href, context);
  },
});
