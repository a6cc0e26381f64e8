import path from "node:path";
import ts from "typescript";
import { ROOT } from "../../bootstrap/workspace.mjs";
import type { Example } from "./read-examples.ts";
import { writeExample } from "./write-example.ts";

/** Parsed files of packages, which all programs share. */
const parsed = new Map<string, ts.SourceFile | undefined>();

/**
 * Compiles examples with the compiler options of the workspace, except one style rule.
 *
 * @param options.lib the `lib` option of the compiler. @default that of the workspace, which includes DOM
 * @returns the compiler errors, one per line
 */
export function typeCheckExamples(
  examples: readonly Example[],
  { lib }: { readonly lib?: readonly string[] } = {},
): string[] {
  const { config } = ts.readConfigFile(path.join(ROOT, "tsconfig.json"), (file) => ts.sys.readFile(file));
  const compilerOptions = { ...config.compilerOptions, ...(lib && { lib }) };
  const onlyOptions = { extends: config.extends, compilerOptions, files: [] };
  const { options } = ts.parseJsonConfigFileContent(onlyOptions, ts.sys, ROOT);
  const written = examples.map(({ place, code }) => ({
    place,
    // `export {}` makes every block a module, so that blocks do not share names.
    ...writeExample(place, `${code}\nexport {};\n`),
  }));
  try {
    // The JSX option of the console would add DOM types.
    const withoutJsx = { ...options, noPropertyAccessFromIndexSignature: false, jsx: ts.JsxEmit.Preserve };
    const program = ts.createProgram(
      written.map(({ file }) => file),
      withoutJsx,
      createSharingHost(withoutJsx),
    );
    return written.flatMap(({ place, file }) => {
      const source = program.getSourceFile(file);
      return [...program.getSyntacticDiagnostics(source), ...program.getSemanticDiagnostics(source)].map(
        ({ start = 0, messageText }) =>
          `${place}, line ${(source?.getLineAndCharacterOfPosition(start).line ?? 0) + 1} of the block: ${ts.flattenDiagnosticMessageText(messageText, "\n")}`,
      );
    });
  } finally {
    for (const { remove } of written) remove();
  }
}

/** Compiles files with the text of a `tsconfig.json`. Our packages are found as in the workspace. Returns the compiler errors. */
export function typeCheckFiles(files: readonly string[], tsconfig: string): string[] {
  const base = ts.readConfigFile(path.join(ROOT, "tsconfig.base.json"), (file) => ts.sys.readFile(file));
  const given = ts.parseJsonConfigFileContent(JSON.parse(tsconfig), ts.sys, ROOT).options;
  const options = { ...given, paths: base.config.compilerOptions.paths, pathsBasePath: ROOT };
  const program = ts.createProgram(files, options, createSharingHost(options));
  // The sources of our packages have stricter options.
  const examples = program.getSourceFiles().filter(({ fileName }) => fileName.includes("/docs/examples/"));
  const ofFiles = examples.flatMap((source) => [
    ...program.getSyntacticDiagnostics(source),
    ...program.getSemanticDiagnostics(source),
  ]);
  return [...program.getConfigFileParsingDiagnostics(), ...program.getOptionsDiagnostics(), ...ofFiles].map(
    ({ messageText }) => ts.flattenDiagnosticMessageText(messageText, "\n"),
  );
}

function createSharingHost(options: ts.CompilerOptions): ts.CompilerHost {
  const host = ts.createCompilerHost(options);
  return {
    ...host,
    getSourceFile(file, ...rest) {
      const source = parsed.get(file) ?? host.getSourceFile(file, ...rest);
      parsed.set(file, source);
      return source;
    },
  };
}
