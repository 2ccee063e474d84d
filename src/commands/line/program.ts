import { Command, CommanderError } from "commander";
import { ConfigError } from "../../../config/fault.ts";
import { ApiError, CommandFailure, UsageFailure } from "../../domain/errors.ts";
import { version } from "../../domain/version.ts";
import type { Environment } from "../../program/environment.ts";
import { argumentsFor } from "./arguments.ts";
import {
  addBackupCommands,
  addCheckCommands,
  addDocumentCommands,
  addEvalCommand,
  addExportCommands,
  addInformationCommands,
  addKeyCommands,
  addServerCommands,
} from "./definitions.ts";

/**
 * Runs one command.
 * @returns the exit status: 0 done, 1 failed, 2 wrong usage
 */
export const runProgram = async (argv: readonly string[], environment: Environment): Promise<number> => {
  const program = createProgram(environment);
  const commands = new Map(
    program.commands.map((command) => [command.name(), command.commands.map((part) => part.name())]),
  );
  try {
    await program.parseAsync(argumentsFor(argv, commands), { from: "user" });
    return 0;
  } catch (error) {
    // Commander has written its own message by now.
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
    // What a shell reports of a program that a signal ended.
    if (environment.stop.aborted) return environment.stop.reason === "SIGINT" ? 130 : 143;
    environment.writeError(`carrel: ${describe(error)}\n`);
    return error instanceof UsageFailure ? 2 : 1;
  }
};

const describe = (error: unknown): string => {
  const isExpected = [ConfigError, CommandFailure, UsageFailure, ApiError].some((kind) => error instanceof kind);
  if (isExpected && error instanceof Error) return error.message;
  // What the platform throws may come with an empty stack.
  return error instanceof Error ? error.stack || error.message || error.name : String(error);
};

/** The commands, in the order in which the help lists them. What a command does is loaded when it is called. */
const createProgram = (environment: Environment): Command => {
  const program = new Command("carrel")
    .description("Reads your documents and answers questions over them, with sources. Without a command: serve.")
    .version(version, "-V, --version", "print the version")
    .helpCommand("help [command]", "explain a command")
    .helpOption("-h, --help", "explain this command")
    .configureHelp({ showGlobalOptions: false })
    .configureOutput({ writeOut: environment.write, writeErr: environment.writeError })
    .showHelpAfterError("(--help explains the command)")
    .exitOverride()
    .option("--config <file>", "settings, else CARREL_CONFIG, else ./carrel.yaml, else the defaults");
  addServerCommands(program, environment);
  addKeyCommands(program, environment);
  addDocumentCommands(program, environment);
  addEvalCommand(program, environment);
  addExportCommands(program, environment);
  addCheckCommands(program, environment);
  addBackupCommands(program, environment);
  addInformationCommands(program, environment);
  return program;
};
