import { ownError } from "../cli-error.ts";
import type { AskOptions } from "../terminal/keyboard.ts";
import type { CommandContext } from "./command.ts";

/**
 * Asks the person at the terminal.
 *
 * @param options.instead what to use without a terminal
 * @throws {CliError} `wrong_usage`
 */
export async function askFor(
  { program: { keyboard }, signal }: Pick<CommandContext, "program" | "signal">,
  what: string,
  { instead, ...options }: { readonly instead: string } & Partial<AskOptions>,
): Promise<string> {
  if (!keyboard.isTerminal)
    throw ownError(
      "wrong_usage",
      `nobody can answer, because standard input is no terminal. Use ${instead}.`,
    );
  const answer = await keyboard.ask(`${what}: `, { hidden: false, signal, ...options });
  if (answer.trim() === "") throw ownError("wrong_usage", "the answer is empty. Run the command again.");
  return answer;
}
