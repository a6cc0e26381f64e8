import path from "node:path";
import ts from "typescript";
import { ROOT } from "../../bootstrap/root.mjs";
import type { Example } from "./read-examples.ts";
import { writeExample } from "./write-example.ts";

/**
 * Compiles examples as the workspace compiles itself, but for one rule of taste that a reader need not share.
 *
 * @param options.lib of the compiler. @default the workspace's, browsers included
 * @returns What the compiler says, a line for each.
 */
export function typeCheckExamples(
  examples: readonly Example[],
  { lib }: { readonly lib?: readonly string[] } = {},
): string[] {
  const { config } = ts.readConfigFile(path.join(ROOT, "tsconfig.json"), (file) => ts.sys.readFile(file));
  const { options } = ts.convertCompilerOptionsFromJson(
    { ...config.compilerOptions, ...(lib && { lib }) },
    ROOT,
  );
  const written = examples.map(({ place, code }) => ({
    place,
    // A block without imports is a module nevertheless, and never shares its names with another.
    ...writeExample(place, `${code}\nexport {};\n`),
  }));
  try {
    const program = ts.createProgram(
      written.map(({ file }) => file),
      // The console's JSX would bring the names of browsers along.
      { ...options, noPropertyAccessFromIndexSignature: false, jsx: ts.JsxEmit.Preserve },
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
