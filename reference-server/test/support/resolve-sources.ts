import { registerHooks } from "node:module";

/**
 * Preloaded into servers under test. Workspace packages resolve to their sources, as in vitest and the compiler, so a
 * real process runs the current code without a build.
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
