import { readBaseUrl } from "../state/page.ts";
import { CommandLine } from "./buttons.tsx";
import { cliCommands } from "./cli-commands.ts";

/** The commands that bring events to the user's own machine, in their order. */
export function ListenCommands() {
  const { login, listen, trigger } = readCommands();
  return (
    <>
      <CommandLine text={login} />
      <CommandLine text={listen} />
      <p>
        It prints the signing secret that your program needs. In another terminal, send a realistic event, on
        which your program acts:
      </p>
      <CommandLine text={trigger("order.created")} />
    </>
  );
}

/** The command that sends the sample of an event to the listeners. */
export function TriggerCommand({ event }: { readonly event: string }) {
  return <CommandLine text={readCommands().trigger(event)} />;
}

/** The commands for the server of this page. */
export function readCommands() {
  const { cliTag } = document.getElementById("console")?.dataset ?? {};
  return cliCommands(readBaseUrl().replace(/\/$/u, ""), cliTag);
}
