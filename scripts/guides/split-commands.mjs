/**
 * The commands of a shell block, each as one text: a command ends with its line, unless a quotation or a backslash goes on behind it.
 * Comments are left out.
 *
 * @param {string} code
 * @returns {string[]}
 */
export function splitCommands(code) {
  /** @type {string[]} */
  const commands = [];
  let command = "";
  let quote = "";
  let isComment = false;
  for (const [index, character] of [...code, "\n"].entries()) {
    const before = code[index - 1] ?? "\n";
    if (isComment && character !== "\n") continue;
    isComment = quote === "" && character === "#" && /\s/.test(before);
    if (isComment) continue;
    if (quote === "" && /["']/.test(character) && before !== "\\") quote = character;
    else if (character === quote && (quote === "'" || before !== "\\")) quote = "";
    if (character !== "\n" || quote !== "" || before === "\\") {
      command += character;
      continue;
    }
    if (command.trim() !== "") commands.push(command.trim());
    command = "";
  }
  return commands;
}
