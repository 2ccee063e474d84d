import type { Command } from "commander";
import type { Environment } from "../../program/environment.ts";
import { addCommand, withOrganization } from "./define.ts";

/** `serve`, `init` and `mcp`. */
export const addServerCommands = (program: Command, environment: Environment): void => {
  addCommand(program, "serve", "run the server (the default)").action(async (_options, command: Command) => {
    const { serve } = await import("../serve.ts");
    await serve(command.optsWithGlobals(), environment);
  });

  addCommand(program, "init", "write the commented carrel.yaml")
    .option("--force", "overwrite an existing file")
    .action(async (_options, command: Command) => {
      const { init } = await import("../init.ts");
      await init(command.optsWithGlobals(), environment);
    });

  withOrganization(
    addCommand(program, "mcp", "serve the documents to a program that speaks MCP, on standard input and output"),
  )
    .option("--server <url>", "those of a server elsewhere, by the key in CARREL_KEY")
    .action(async (_options, command: Command) => {
      const { mcp } = await import("../mcp.ts");
      await mcp(command.optsWithGlobals(), environment);
    });
};
