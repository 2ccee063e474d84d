import type { Command } from "commander";
import { wholeNumber } from "../option-values.ts";

/**
 * Adds a command to the program, or to a group such as `carrel key`.
 * @param usage its name and arguments, such as `revoke <id>`
 */
export const addCommand = (parent: Command, usage: string, description: string): Command => {
  const [name = "", ...rest] = usage.split(" ");
  const command = parent.command(name).copyInheritedSettings(parent).description(description);
  if (rest.length > 0) command.arguments(rest.join(" "));
  // Also accepted after the command, where people write it.
  return command.option("--config <file>", "settings, as for carrel itself");
};

/** Adds a group of commands, such as `carrel key`, which does nothing alone. */
export const addGroup = (program: Command, name: string, description: string): Command =>
  program.command(name).copyInheritedSettings(program).description(description);

export const withJson = (command: Command): Command => command.option("--json", "print JSON");

export const withOrganization = (command: Command): Command =>
  command.option("--organization <name>", "organization to work on", "default");

/** A limit that an option sets: any whole number from 1 that JSON carries exactly. */
export const limitValue = wholeNumber(1, Number.MAX_SAFE_INTEGER);
