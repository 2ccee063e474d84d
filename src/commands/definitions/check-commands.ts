import type { Command } from "commander";
import type { Environment } from "../../program/environment.ts";
import { addCommand, addGroup, withJson } from "./define.ts";

/** `models`, `doctor`, `check`, `health` and `embedder status`: they show and check. */
export const addCheckCommands = (program: Command, environment: Environment): void => {
  withJson(addCommand(program, "models", "check the configured model servers and show what they offer")).action(
    async (_options, command: Command) => {
      const { models } = await import("../models.ts");
      await models(command.optsWithGlobals(), environment);
    },
  );

  withJson(addCommand(program, "doctor", "check everything that Carrel needs, and say how to fix what is wrong"))
    .addHelpText("after", "\nNothing is changed, and a running server is not affected.")
    .action(async (_options, command: Command) => {
      const { doctor } = await import("../doctor.ts");
      await doctor(command.optsWithGlobals(), environment);
    });

  withJson(addCommand(program, "check", "read every row, file and index, and say what is damaged"))
    .addHelpText(
      "after",
      "\nA running server does it, and makes damaged indexes again; without one, nothing is changed.",
    )
    .action(async (_options, command: Command) => {
      const { check } = await import("../check.ts");
      await check(command.optsWithGlobals(), environment);
    });

  withJson(addCommand(program, "health", "ask the server of these settings whether it is ready, for containers"))
    .addHelpText("after", "\nExit status 0 where it is ready, else 1. It needs no key, and opens no store.")
    .action(async (_options, command: Command) => {
      const { health } = await import("../health.ts");
      await health(command.optsWithGlobals(), environment);
    });

  const embedder = addGroup(program, "embedder", "the embedding model");
  withJson(addCommand(embedder, "status", "show the model in use, and the progress of a change to another one")).action(
    async (_options, command: Command) => {
      const { embedderStatus } = await import("../embedder-status.ts");
      await embedderStatus(command.optsWithGlobals(), environment);
    },
  );
};
