import { useConsole } from "../state/console-context.ts";
import { readBaseUrl } from "../state/page.ts";
import { CommandLine } from "./buttons.tsx";
import { cliCommands } from "./cli-commands.ts";

/** The commands that bring events to the user's own machine, in their order. */
export function ListenCommands() {
  const { eventTypes, hasNoEvents = false } = useConsole();
  const { login, printSecret, listen, trigger } = readCommands();
  const [{ event } = { event: "order.created" }] = eventTypes;
  return (
    <>
      <CommandLine text={login} />
      <p>Start your program with the signing secret of your machine, and bring events to it:</p>
      <CommandLine text={printSecret} />
      <CommandLine text={listen} />
      {hasNoEvents ? null : (
        <>
          <p>In another terminal, send a realistic event, on which your program acts:</p>
          <CommandLine text={trigger(event)} />
        </>
      )}
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
  return cliCommands(readServer(), cliTag);
}

/** The URL of the server of this page, with its base path. */
export function readServer(): string {
  return readBaseUrl().replace(/\/$/u, "");
}
