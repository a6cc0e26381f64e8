import { CommandLine } from "./command-line.tsx";

/** The commands that bring events to the user's own machine, in their order. */
export function ListenCommands() {
  const server = `${location.origin}${location.pathname.replace(/\/console\/?$/u, "")}`;
  return (
    <>
      <CommandLine text={`npx @hookwright/cli login --server ${server}`} />
      <CommandLine text="npx @hookwright/cli listen --forward http://localhost:8080/webhooks" />
      <p>
        It prints the signing secret that your program needs. In another terminal, send a realistic event, on
        which your program acts:
      </p>
      <CommandLine text="npx @hookwright/cli trigger order.created" />
    </>
  );
}
