import type { Command } from "commander";
import type { Environment } from "../../program/environment.ts";
import { addCommand } from "./define.ts";

/** `serve` and `init`. */
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
};
