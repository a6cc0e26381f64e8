import packageJson from "../../package.json" with { type: "json" };
import { exitStatus } from "../cli-error.ts";
import type { Command } from "../command-line/command.ts";
import { npxMcp, serveMcp } from "../mcp/serve-mcp.ts";
import { listTools } from "../mcp/tools.ts";

export const mcpCommand: Command = {
  name: "mcp",
  description: "Serve the commands as tools for AI assistants (MCP)",
  group: "Tools",
  options: [{ flag: "allow-writes", description: `Also offer ${listTools(false)}` }],
  common: ["server", "key"],
  examples: [
    {
      command: npxMcp("https://hooks.example.com"),
      explanation: "Run it with the package that it needs, without installing either",
    },
    { command: "hookwright mcp --allow-writes", explanation: "Allow the assistant to send events again" },
  ],
  notes: [
    "It reads requests from standard input and writes responses to standard output. It needs the package @modelcontextprotocol/sdk, which is not installed with this command line because of its size.",
    `Without --allow-writes, the tools only read: ${listTools(true)}.`,
  ],
  async run({ options, resolve, connect, now, sleep, signal }) {
    const { server } = await resolve();
    await serveMcp({
      server,
      version: packageJson.version,
      allowWrites: options.has("allow-writes"),
      connect,
      now,
      sleep,
      signal,
    });
    return exitStatus.done;
  },
};
