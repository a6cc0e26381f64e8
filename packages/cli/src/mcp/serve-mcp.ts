import process from "node:process";
import { packageSource } from "@hookwright/domain";
import { SignatureError } from "@hookwright/signature/node";
import { CliError, ownError } from "../cli-error.ts";
import { checkInput } from "./check-input.ts";
import { listTools, tools } from "./tools.ts";
import type { ToolContext } from "./tools.ts";

/** The command line with the package that `mcp` needs. */
export const npxMcp = (server: string): string =>
  `npx -p ${packageSource("cli", server)} -p @modelcontextprotocol/sdk hookwright mcp`;

export interface McpOptions extends ToolContext {
  /** The URL of the server. */
  readonly server: string;
  readonly version: string;
  readonly allowWrites: boolean;
  readonly signal: AbortSignal;
}

/** Loads the optional package when it is needed. */
async function loadSdk(server: string) {
  try {
    const [{ Server }, { StdioServerTransport }, types] = await Promise.all([
      import("@modelcontextprotocol/sdk/server/index.js"),
      import("@modelcontextprotocol/sdk/server/stdio.js"),
      import("@modelcontextprotocol/sdk/types.js"),
    ]);
    return { Server, StdioServerTransport, types };
  } catch (error) {
    if (!(error instanceof Error && "code" in error && error.code === "ERR_MODULE_NOT_FOUND")) throw error;
    throw ownError(
      "optional_package_missing",
      "`hookwright mcp` needs the package @modelcontextprotocol/sdk, which is not installed with this command line because of its size. Run: " +
        npxMcp(server),
      error,
    );
  }
}

/**
 * Serves the tools on standard input and output until the client closes them, or the signal is aborted.
 *
 * @throws {CliError} `optional_package_missing`
 * @see https://modelcontextprotocol.io/specification
 */
export async function serveMcp({
  server: url,
  version,
  allowWrites,
  signal,
  ...context
}: McpOptions): Promise<void> {
  const { Server, StdioServerTransport, types } = await loadSdk(url);
  const offered = tools.filter(({ isReadOnly }) => isReadOnly || allowWrites);
  const server = new Server(
    { name: "hookwright", version },
    {
      capabilities: { tools: {} },
      instructions: allowWrites
        ? "Webhooks and their deliveries. test, resume, resend, resend_all and recover send requests to real endpoints, and pause stops them: ask the person first."
        : `Webhooks and their deliveries, read-only. Start \`hookwright mcp --allow-writes\` for ${listTools(false)}.`,
    },
  );
  server.setRequestHandler(types.ListToolsRequestSchema, () => ({
    tools: offered.map(({ name, description, inputSchema, isReadOnly }) => ({
      name,
      description,
      inputSchema: { ...inputSchema, required: [...(inputSchema.required ?? [])] },
      annotations: { readOnlyHint: isReadOnly, destructiveHint: false, openWorldHint: !isReadOnly },
    })),
  }));
  server.setRequestHandler(types.CallToolRequestSchema, async ({ params }) => {
    const tool = tools.find(({ name }) => name === params.name);
    if (tool === undefined) return toFailure(`There is no tool ${JSON.stringify(params.name)}.`);
    if (!offered.includes(tool))
      return toFailure(
        `${tool.name} changes something. Start \`hookwright mcp --allow-writes\` to allow it.`,
      );
    try {
      const input = params.arguments ?? {};
      checkInput(tool.inputSchema, input);
      const result = await tool.call(input, context);
      return { content: [{ type: "text", text: JSON.stringify(result, null, 2) }] };
    } catch (error) {
      // The model can correct its call, so it gets the message.
      if (error instanceof CliError || error instanceof SignatureError) return toFailure(error.message);
      throw error;
    }
  });
  const transport = new StdioServerTransport();
  const closed = new Promise<void>((resolve) => {
    // The transport does not notice that its client is gone.
    process.stdin.once("end", resolve);
    process.stdout.once("error", () => resolve());
    signal.addEventListener("abort", () => resolve(), { once: true });
  });
  await server.connect(transport);
  await closed;
  await server.close();
}

function toFailure(message: string) {
  return { isError: true, content: [{ type: "text", text: message }] };
}
