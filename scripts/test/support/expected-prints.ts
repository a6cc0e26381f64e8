import ts from "typescript";

/** A `console.log` of an example, with the expected output from the comment after it or on the next line. */
export interface Print {
  /** Line within the block, from 1. */
  readonly line: number;
  readonly expected: string | undefined;
}

export interface InstrumentedExample {
  readonly code: string;
  readonly prints: readonly Print[];
}

/** Replaces each `console.log(…)` by `__print(<number>, …)`, so that its output can be compared with its comment. */
export function instrument(code: string): InstrumentedExample {
  const source = ts.createSourceFile("example.ts", code, ts.ScriptTarget.Latest);
  const prints: Print[] = [];
  let rewritten = "";
  let copied = 0;

  const visit = (node: ts.Node): void => {
    if (ts.isCallExpression(node) && node.expression.getText(source) === "console.log") {
      const start = node.getStart(source);
      const open = code.indexOf("(", node.expression.getEnd()) + 1;
      rewritten += `${code.slice(copied, start)}__print(${prints.length}, `;
      copied = open;
      const line = source.getLineAndCharacterOfPosition(start).line + 1;
      prints.push({ line, expected: readComment(code.slice(node.getEnd())) });
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return { code: rewritten + code.slice(copied), prints };
}

function readComment(rest: string): string | undefined {
  return /^[ \t]*[;,]?[ \t]*(?:\n[ \t]*)?\/\/[ \t]*(.*)/u.exec(rest)?.[1]?.trim();
}
