import { type Command, Option } from "commander";
import type { Environment } from "../../program/environment.ts";
import { addCommand } from "./define.ts";

export const addEvalCommand = (program: Command, environment: Environment): void => {
  addCommand(
    program,
    "eval [target]",
    "measure a folder of sets (BEIR's layout) without touching your documents; or run the checks of a YAML file against the stored documents; or, with --from-feedback, make such checks of what people said of answers",
  )
    .summary("measure sets, run your own checks")
    .option("--json [file]", "write JSON with the figures of each question into a file; without one, print it instead")
    .option("--organization <name>", 'checks: organization to work on (default: "default")')
    .option("--server <address>", "sets, checks: a running server, such as http://127.0.0.1:7373")
    .option("--key-file <file>", "a file with its key (-: standard input), else CARREL_ADMIN_KEY")
    // The list of processes would show it to every user of the machine.
    .addOption(new Option("--key [key]").hideHelp())
    .option("--set <name>", "sets: only this one; may be given several times", (name: string, names: string[] = []) => [
      ...names,
      name,
    ])
    .option("--compare <file>", "sets: compare with what --json wrote earlier")
    .option("--answers", "sets: measure the answers also where a model writes them")
    .option(
      "--from-feedback",
      "make checks of what people said of answers and run them; with a file: write them into it",
    )
    .addHelpText(
      "after",
      "\nExit status: 0 done, and every check passed; 1 a check failed, or it could not be done; 2 wrong usage, and for\nchecks also a server that cannot be reached.",
    )
    .action(async (target: string | undefined, _options, command: Command) => {
      const { evaluate } = await import("../eval/eval.ts");
      await evaluate(target, command.optsWithGlobals(), environment);
    });
};
