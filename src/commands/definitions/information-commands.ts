import { Argument, type Command } from "commander";
import { version } from "../../domain/version.ts";
import type { Environment } from "../../program/environment.ts";
import { addCommand, withJson } from "./define.ts";

/** What prints a part of the program: `licenses`, `openapi`, `schema`, `completion` and `version`. */
export const addInformationCommands = (program: Command, environment: Environment): void => {
  withJson(addCommand(program, "licenses", "print the licenses of everything in this program")).action(
    async (_options, command: Command) => {
      const { licenses } = await import("../licenses.ts");
      await licenses(command.optsWithGlobals(), environment);
    },
  );

  addCommand(program, "openapi", "print the OpenAPI document of the API (OpenAPI 3.1, JSON)")
    .option("--full", "with forms, streams, aliases and every error, as /openapi.full.json")
    .action(async (options: { full?: boolean }) => {
      const { openapi } = await import("../openapi.ts");
      openapi(options, environment);
    });

  addCommand(program, "schema", "print the JSON Schema of the settings file, for editors").action(async () => {
    const { printSchema } = await import("../schema-command.ts");
    printSchema(environment);
  });

  addCommand(program, "completion", "print the completions for a shell")
    .addArgument(new Argument("<shell>", "which one").choices(["bash", "zsh", "fish"]))
    .action(async (shell: "bash" | "zsh" | "fish") => {
      const { printCompletion } = await import("../completion/completion.ts");
      printCompletion(shell, program, environment);
    });

  withJson(addCommand(program, "version", "print the version")).action((_options, command: Command) => {
    const { json } = command.optsWithGlobals<{ json?: boolean }>();
    const facts = { version, bun: Bun.version, platform: process.platform, arch: process.arch };
    environment.write(json === true ? `${JSON.stringify(facts)}\n` : `carrel ${version}\n`);
  });
};
