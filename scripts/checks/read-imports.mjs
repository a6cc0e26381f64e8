import ts from "typescript";

/**
 * @typedef {{ specifier: string, typeOnly: boolean, line: number }} Import `line` counts from 1.
 */

/**
 * Every module a source names: imports, re-exports, `import()` and types through `import("…")`.
 *
 * @param {string} file Its extension chooses the grammar; of a `.vue` file the script blocks are read.
 * @param {string} text
 * @returns {Import[]}
 */
export function readImports(file, text) {
  const source = ts.createSourceFile(
    file.replace(/\.vue$/, ".ts"),
    file.endsWith(".vue") ? scriptsOfVue(text) : text,
    ts.ScriptTarget.Latest,
  );
  /** @type {Import[]} */
  const imports = [];

  /** @param {ts.Node | undefined} specifier @param {boolean} typeOnly */
  const add = (specifier, typeOnly) => {
    if (specifier === undefined || !ts.isStringLiteralLike(specifier)) return;
    imports.push({
      specifier: specifier.text,
      typeOnly,
      line: source.getLineAndCharacterOfPosition(specifier.getStart(source)).line + 1,
    });
  };

  /** @param {ts.Node} node */
  const visit = (node) => {
    if (ts.isImportDeclaration(node)) add(node.moduleSpecifier, isTypeOnlyImport(node.importClause));
    else if (ts.isExportDeclaration(node)) add(node.moduleSpecifier, isTypeOnlyExport(node));
    else if (ts.isExternalModuleReference(node)) add(node.expression, false);
    else if (ts.isImportTypeNode(node) && ts.isLiteralTypeNode(node.argument))
      add(node.argument.literal, true);
    else if (ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.ImportKeyword)
      add(node.arguments[0], false);
    ts.forEachChild(node, visit);
  };
  visit(source);
  return imports;
}

/** @param {ts.ImportClause | undefined} clause */
function isTypeOnlyImport(clause) {
  if (clause === undefined) return false;
  if (clause.isTypeOnly) return true;
  const bindings = clause.namedBindings;
  // `import {} from "x"` still loads the module, hence the length.
  return (
    clause.name === undefined &&
    bindings !== undefined &&
    ts.isNamedImports(bindings) &&
    bindings.elements.length > 0 &&
    bindings.elements.every((element) => element.isTypeOnly)
  );
}

/** @param {ts.ExportDeclaration} node */
function isTypeOnlyExport(node) {
  if (node.isTypeOnly) return true;
  const clause = node.exportClause;
  return (
    clause !== undefined &&
    ts.isNamedExports(clause) &&
    clause.elements.length > 0 &&
    clause.elements.every((element) => element.isTypeOnly)
  );
}

/** The script blocks at their own lines. @param {string} text */
function scriptsOfVue(text) {
  const blank = (/** @type {string} */ part) => part.replaceAll(/[^\n]/g, " ");
  let scripts = "";
  let end = 0;
  for (const match of text.matchAll(/(<script\b[^>]*>)([\s\S]*?)<\/script>/g)) {
    const start = match.index + (match[1] ?? "").length;
    scripts += blank(text.slice(end, start)) + (match[2] ?? "");
    end = start + (match[2] ?? "").length;
  }
  return scripts;
}
