import { Argument, Command, CommanderError, Option } from "commander";
import { ConfigError } from "../../config/fault.ts";
import { CommandFailure, UsageFailure } from "../domain/command-failure.ts";
import { ApiError } from "../domain/errors.ts";
import { version } from "../domain/version.ts";
import type { Environment } from "../program/environment.ts";
import { argumentsFor } from "./arguments.ts";
import { durationMs, wholeNumber } from "./option-values.ts";

/**
 * Runs one command.
 * @returns the exit status: 0 done, 1 failed, 2 wrong usage
 */
export const runProgram = async (argv: readonly string[], environment: Environment): Promise<number> => {
  const program = createProgram(environment);
  const names = program.commands.map((command) => command.name());
  try {
    await program.parseAsync(argumentsFor(argv, names), { from: "user" });
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

/** Every command on one screen; what each does is loaded when it is called. */
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

  const add = (parent: Command, usage: string, description: string): Command => {
    const [name = "", ...rest] = usage.split(" ");
    const command = parent.command(name).copyInheritedSettings(parent).description(description);
    if (rest.length > 0) command.arguments(rest.join(" "));
    // Also accepted after the command, where people write it.
    return command.option("--config <file>", "settings, as for carrel itself");
  };
  const withJson = (command: Command) => command.option("--json", "print JSON");
  const withOrganization = (command: Command) =>
    command.option("--organization <name>", "organization to work on", "default");

  add(program, "serve", "run the server (the default)").action(async (_options, command: Command) => {
    const { serve } = await import("./serve.ts");
    await serve(command.optsWithGlobals(), environment);
  });

  add(program, "init", "write the commented carrel.yaml")
    .option("--force", "overwrite an existing file")
    .action(async (_options, command: Command) => {
      const { init } = await import("./init.ts");
      await init(command.optsWithGlobals(), environment);
    });

  const key = program.command("key").copyInheritedSettings(program).description("make, list and revoke API keys");
  withJson(withOrganization(add(key, "create", "make a key and print it: it is shown only once")))
    .requiredOption("--name <name>", "what the key is for")
    .addOption(new Option("--role <role>", "what it may do").choices(["reader", "writer", "admin"]).default("reader"))
    .option("--user <user>", "user that it belongs to")
    .option("--partition <name or id>", "the only partition that it gives access to; made if it does not exist")
    .option("--expires <time>", "how long it is valid, such as 30d", durationMs)
    .option("--requests-per-minute <number>", "requests it may send in a minute", wholeNumber(1, 2 ** 53 - 1))
    .option(
      "--tokens-per-day <number>",
      "tokens of the answering model it may use in a day",
      wholeNumber(1, 2 ** 53 - 1),
    )
    .option(
      "--max-documents <number>",
      "it adds nothing once it can see so many documents",
      wholeNumber(1, 2 ** 53 - 1),
    )
    .option("--max-bytes <number>", "the same for bytes of texts and files", wholeNumber(1, 2 ** 53 - 1))
    .addHelpText("after", "\nAn organization that does not exist is made.")
    .action(async (_options, command: Command) => {
      const { createKey } = await import("./key/create.ts");
      await createKey(command.optsWithGlobals(), environment);
    });
  withJson(withOrganization(add(key, "list", "list the keys, without their secrets"))).action(
    async (_options, command: Command) => {
      const { listKeys } = await import("./key/list.ts");
      await listKeys(command.optsWithGlobals(), environment);
    },
  );
  withJson(withOrganization(add(key, "revoke <id>", "revoke a key at once"))).action(
    async (id: string, _options, command: Command) => {
      const { revokeKey } = await import("./key/revoke.ts");
      await revokeKey(id, command.optsWithGlobals(), environment);
    },
  );

  withJson(withOrganization(add(program, "ingest <source...>", "ingest files, folders and web addresses")))
    .option("--partition <name>", "partition to ingest into; made if it does not exist")
    .option("--name <name>", "name of the document, if there is only one")
    .option("--metadata <json>", "JSON object kept with each document")
    .option("--watch", "keep running, and follow new, changed, moved and removed files of folders")
    .action(async (sources: string[], _options, command: Command) => {
      const { ingest } = await import("./ingest/ingest.ts");
      await ingest(sources, command.optsWithGlobals(), environment);
    });

  withJson(withOrganization(add(program, "ask <question> [files...]", "ask a question")))
    .description("answer a question from the documents that are stored or, where files are named, from just those")
    .option("--partition <name or id>", "ask only one partition")
    .option("--document <id>", "ask only one document")
    .option("--snippets <number>", "how many snippets the answer is made from", wholeNumber(1, 50))
    .action(async (question: string, files: string[], _options, command: Command) => {
      const { ask } = await import("./ask.ts");
      await ask(question, files, command.optsWithGlobals(), environment);
    });

  add(
    program,
    "eval [target]",
    "measure a folder of sets (BEIR's layout) without touching your documents; or run the checks of a YAML file against the stored documents; or, with --calibrate, fit answers.refusalThreshold to them",
  )
    .summary("measure sets, run your own checks, fit the refusal threshold")
    .option("--json [file]", "write JSON with the figures of each question into a file; without one, print it instead")
    .option("--organization <name>", 'checks, --calibrate: organization to work on (default: "default")')
    .option("--server <address>", "sets, checks: a running server, such as http://127.0.0.1:7373")
    .option("--key-file <file>", "a file with its key (-: standard input), else CARREL_ADMIN_KEY")
    // The list of processes would show it to every user of the machine.
    .addOption(new Option("--key [key]").hideHelp())
    .option("--set <name>", "sets: only this one; may be given several times", (name: string, names: string[] = []) => [
      ...names,
      name,
    ])
    .option("--compare <file>", "sets: compare with what --json wrote earlier")
    .option("--answers", "sets: look at the answers also where a model writes them")
    .option("--calibrate", "fit the refusal threshold")
    .option("--documents <number>", "--calibrate: documents taken at most (default 1000)", wholeNumber(1, 100_000))
    .option("--write", "--calibrate: put the threshold into the settings file")
    .addHelpText(
      "after",
      "\nExit status: 0 done, and every check passed; 1 a check failed, or it could not be done; 2 wrong usage, and for\nchecks also a server that cannot be reached.",
    )
    .action(async (target: string | undefined, _options, command: Command) => {
      const { evaluate } = await import("./eval/eval.ts");
      await evaluate(target, command.optsWithGlobals(), environment);
    });

  withJson(
    withOrganization(add(program, "export <target>", "write everything an organization holds into a folder")),
  ).action(async (target: string, _options, command: Command) => {
    const { exportTo } = await import("./export.ts");
    await exportTo(target, command.optsWithGlobals(), environment);
  });

  withJson(withOrganization(add(program, "import <source>", "take in an export; what is there already stays"))).action(
    async (source: string, _options, command: Command) => {
      const { importFrom } = await import("./import.ts");
      await importFrom(source, command.optsWithGlobals(), environment);
    },
  );

  withJson(add(program, "models", "check the configured model servers and show what they offer")).action(
    async (_options, command: Command) => {
      const { models } = await import("./models.ts");
      await models(command.optsWithGlobals(), environment);
    },
  );

  withJson(add(program, "doctor", "check everything that Carrel needs, and say how to fix what is wrong"))
    .addHelpText("after", "\nNothing is changed, and a running server is not disturbed.")
    .action(async (_options, command: Command) => {
      const { doctor } = await import("./doctor.ts");
      await doctor(command.optsWithGlobals(), environment);
    });

  const embedder = program.command("embedder").copyInheritedSettings(program).description("the embedding model");
  withJson(add(embedder, "status", "show the model in use, and the progress of a change to another one")).action(
    async (_options, command: Command) => {
      const { embedderStatus } = await import("./embedder-status.ts");
      await embedderStatus(command.optsWithGlobals(), environment);
    },
  );

  withJson(add(program, "backup [target]", "back up everything to a folder or bucket, while the server runs"))
    .option("--verify [id]", "check the backups that are there, or one of them, byte by byte")
    .addHelpText("after", "\nTarget: a folder, or s3://bucket/prefix; without one, backup.path.")
    .action(async (target: string | undefined, _options, command: Command) => {
      const { backup } = await import("./backup.ts");
      await backup(target, command.optsWithGlobals(), environment);
    });

  withJson(
    add(program, "restore [source]", "write a backup into a new data directory, or go back to before an upgrade"),
  )
    .option("--backup <id>", "which backup; without it, the newest")
    .option("--to <dir>", "the new data directory: missing or empty")
    .option("--list", "list the backups instead")
    .option("--snapshot", "go back to the state before the data directory was last upgraded")
    .addHelpText("after", "\nSource: the folder, or s3://bucket/prefix; without one, backup.path.")
    .action(async (source: string | undefined, _options, command: Command) => {
      const options = command.optsWithGlobals();
      if (options.snapshot === true) {
        const { restoreSnapshotCommand } = await import("./restore-snapshot.ts");
        return await restoreSnapshotCommand(source, options, environment);
      }
      const { restore } = await import("./restore.ts");
      await restore(source, options, environment);
    });

  withJson(add(program, "licenses", "print the licenses of everything in this program")).action(
    async (_options, command: Command) => {
      const { licenses } = await import("./licenses.ts");
      await licenses(command.optsWithGlobals(), environment);
    },
  );
  add(program, "openapi", "print the OpenAPI document of the API (OpenAPI 3.1, JSON)").action(async () => {
    const { openapi } = await import("./openapi.ts");
    openapi(environment);
  });

  add(program, "schema", "print the JSON Schema of the settings file, for editors").action(async () => {
    const { printSchema } = await import("./schema-command.ts");
    printSchema(environment);
  });

  add(program, "completion", "print the completions for a shell")
    .addArgument(new Argument("<shell>", "which one").choices(["bash", "zsh", "fish"]))
    .action(async (shell: "bash" | "zsh" | "fish") => {
      const { printCompletion } = await import("./completion/completion.ts");
      printCompletion(shell, program, environment);
    });

  withJson(add(program, "version", "print the version")).action((_options, command: Command) => {
    const { json } = command.optsWithGlobals<{ json?: boolean }>();
    const facts = { version, bun: Bun.version, platform: process.platform, arch: process.arch };
    environment.write(json === true ? `${JSON.stringify(facts)}\n` : `carrel ${version}\n`);
  });

  return program;
};
