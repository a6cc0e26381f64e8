import { useConsole } from "../state/console-context.ts";
import { readBaseUrl } from "../state/page.ts";
import { CommandLine } from "./buttons.tsx";
import { cliCommands } from "./cli-commands.ts";

/** The commands that bring events to the user's own machine, in their order. */
export function ListenCommands() {
  const { eventTypes, hasNoEvents = false } = useConsole();
  const { login, listen, trigger } = readCommands();
  const [{ event } = { event: "order.created" }] = eventTypes;
  return (
    <>
      <CommandLine text={login} />
      <CommandLine text={listen} />
      <p>
        It prints the signing secret that your program needs.
        {hasNoEvents ? null : " In another terminal, send a realistic event, on which your program acts:"}
      </p>
      {hasNoEvents ? null : <CommandLine text={trigger(event)} />}
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
