import type { Command } from "commander";

/** What can follow at a place of the command line. */
export type Values = { kind: "choices"; choices: readonly string[] } | { kind: "files" } | { kind: "anything" };

interface CompletedOption {
  /** With dashes: `--json`, `-h`. */
  names: readonly string[];
  description: string;
  /** Null: it takes no value, or may be given without one. */
  values: Values | null;
}

/** A command as a completion script needs it. */
export interface CompletedCommand {
  /** Words up to it without `carrel`; empty for carrel itself. */
  path: string;
  commands: readonly { name: string; description: string }[];
  options: readonly CompletedOption[];
  /** What its arguments can be; null: it takes none. */
  values: Values | null;
}

/** Names of arguments and values that are files or folders. */
const fileName = /file|folder|dir|source|target|path/i;

const valuesOf = (choices: readonly string[] | undefined, name: string): Values => {
  if (choices !== undefined) return { kind: "choices", choices };
  return fileName.test(name) ? { kind: "files" } : { kind: "anything" };
};

/** The first sentence, for the lists that shells show. */
const short = (description: string): string => description.split(/[;.(]/)[0]?.trim() ?? "";

/** All commands below and with `command`, as commander knows them: nothing is listed a second time. */
export const commandTree = (command: Command, path: readonly string[] = []): CompletedCommand[] => {
  const help = command.createHelp();
  const commands = help.visibleCommands(command);
  const [argument] = command.registeredArguments;
  const own: CompletedCommand = {
    path: path.join(" "),
    commands: commands.map((one) => ({ name: one.name(), description: short(one.summary() || one.description()) })),
    options: help.visibleOptions(command).map((option) => ({
      names: [option.long, option.short].filter((name) => typeof name === "string"),
      description: short(option.description),
      values: option.required ? valuesOf(option.argChoices, option.flags.replace(/^[^<]*/, "")) : null,
    })),
    values: argument === undefined ? null : valuesOf(argument.argChoices, argument.name()),
  };
  return [own, ...command.commands.flatMap((one) => commandTree(one, [...path, one.name()]))];
};

/** Options of a command that take a value, by their names. */
export const optionsWithValue = ({ options }: CompletedCommand): { name: string; values: Values }[] =>
  options.flatMap(({ names, values }) => (values === null ? [] : names.map((name) => ({ name, values }))));
