import type { Command } from "commander";
import type { Environment } from "../../program/environment.ts";
import { addCommand, withJson, withOrganization } from "./define.ts";

/** `export` and `import`. */
export const addExportCommands = (program: Command, environment: Environment): void => {
  withJson(
    withOrganization(addCommand(program, "export <target>", "write everything an organization holds into a folder")),
  ).action(async (target: string, _options, command: Command) => {
    const { exportTo } = await import("../export.ts");
    await exportTo(target, command.optsWithGlobals(), environment);
  });

  withJson(
    withOrganization(
      addCommand(program, "import <source>", "take in an export; records that are already stored are kept"),
    ),
  ).action(async (source: string, _options, command: Command) => {
    const { importFrom } = await import("../import.ts");
    await importFrom(source, command.optsWithGlobals(), environment);
  });
};
