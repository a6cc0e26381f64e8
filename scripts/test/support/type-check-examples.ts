import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import process from "node:process";
import ts from "typescript";
import { ROOT } from "../../bootstrap/root.mjs";
import type { Example } from "./read-examples.ts";
import { examplesFolder } from "./run-example.ts";

const folder = path.join(examplesFolder, `types-${process.pid}`);

/**
 * Compiles examples as the workspace compiles itself, but for one rule of taste that a reader need not share.
 *
 * @returns What the compiler says, a line for each.
 */
export function typeCheckExamples(examples: readonly Example[]): string[] {
  const { config } = ts.readConfigFile(path.join(ROOT, "tsconfig.json"), (file) => ts.sys.readFile(file));
  const { options } = ts.convertCompilerOptionsFromJson(config.compilerOptions, ROOT);
  mkdirSync(folder, { recursive: true });
  try {
    const placeOf = new Map(
      examples.map(({ place, code }, index) => {
        const file = path.join(folder, `${index}.ts`);
        // A block without imports is a module nevertheless, and never shares its names with another.
        writeFileSync(file, `${code}\nexport {};\n`);
        return [file, place];
      }),
    );
    const program = ts.createProgram([...placeOf.keys()], {
      ...options,
      noPropertyAccessFromIndexSignature: false,
    });
    return [...placeOf].flatMap(([file, place]) => {
      const source = program.getSourceFile(file);
      return [...program.getSyntacticDiagnostics(source), ...program.getSemanticDiagnostics(source)].map(
        ({ start = 0, messageText }) =>
          `${place}, line ${(source?.getLineAndCharacterOfPosition(start).line ?? 0) + 1} of the block: ${ts.flattenDiagnosticMessageText(messageText, "\n")}`,
      );
    });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
