import { Argument, type Command, InvalidArgumentError, Option } from "commander";
import { parseDuration } from "../../../config/values.ts";
import { version } from "../../domain/version.ts";
import type { Environment } from "../../program/environment.ts";
import type { Shell } from "../completion.ts";

/** A duration in milliseconds. */
const durationMs = (text: string): number => {
  const parsed = parseDuration(text);
  if (parsed === null || parsed === 0) throw new InvalidArgumentError("It must be a duration such as 12h or 30d.");
  return parsed;
};

const wholeNumber =
  (minimum: number, maximum: number) =>
  (text: string): number => {
    const number = /^\d+$/.test(text) ? Number(text) : Number.NaN;
    if (!(number >= minimum && number <= maximum))
      throw new InvalidArgumentError(`It must be a whole number from ${minimum} to ${maximum}.`);
    return number;
  };

/**
 * Adds a command to the program, or to a group such as `carrel key`.
 * @param usage its name and arguments, such as `revoke <id>`
 */
const addCommand = (parent: Command, usage: string, description: string): Command => {
  const [name = "", ...rest] = usage.split(" ");
  const command = parent.command(name).copyInheritedSettings(parent).description(description);
  if (rest.length > 0) command.arguments(rest.join(" "));
  // Also accepted after the command, where people write it.
  return command.option("--config <file>", "settings, as for carrel itself");
};

/** Adds a group of commands, such as `carrel key`, which does nothing alone. */
const addGroup = (program: Command, name: string, description: string): Command =>
  program.command(name).copyInheritedSettings(program).description(description);

/** What a command does, loaded when it is called: with its arguments, its options, and the environment. */
const runs =
  (environment: Environment, load: () => Promise<(...given: never[]) => unknown>) =>
  async (...given: unknown[]): Promise<void> => {
    // Commander gives the options of this command alone, then the command.
    const command = given.at(-1) as Command;
    const run = await load();
    await run(...([...given.slice(0, -2), command.optsWithGlobals(), environment] as never[]));
  };

const withJson = (command: Command): Command => command.option("--json", "print JSON");

const withOrganization = (command: Command): Command =>
  command.option("--organization <name>", "organization to work on", "default");

const withServer = (command: Command): Command =>
  command.option("--server <url>", "a server elsewhere, by the key in CARREL_KEY");

/** A limit that an option sets: any whole number from 1 that JSON carries exactly. */
const limitValue = wholeNumber(1, Number.MAX_SAFE_INTEGER);

/** `serve`, `init` and `mcp`. */
export const addServerCommands = (program: Command, environment: Environment): void => {
  addCommand(program, "serve", "run the server (the default)")
    .option("--port <number>", "in place of server.port", wholeNumber(0, 65_535))
    .option("--host <address>", "in place of server.host")
    .action(runs(environment, async () => (await import("../serve.ts")).serve));

  addCommand(program, "init", "write the commented carrel.yaml")
    .option("--force", "overwrite an existing file")
    .action(runs(environment, async () => (await import("../init.ts")).init));

  withServer(
    withOrganization(
      addCommand(program, "mcp", "serve the documents to a program that speaks MCP, on standard input and output"),
    ),
  ).action(runs(environment, async () => (await import("../mcp.ts")).mcp));
};

/** `key create`, `key list` and `key revoke`. */
export const addKeyCommands = (program: Command, environment: Environment): void => {
  const key = addGroup(program, "key", "make, list and revoke API keys");
  addCreate(key, environment);

  withJson(withOrganization(addCommand(key, "list", "list the keys, without their secrets"))).action(
    runs(environment, async () => (await import("../key/keys.ts")).listKeys),
  );

  withJson(withOrganization(addCommand(key, "revoke <id>", "revoke a key at once, by its id or its name"))).action(
    runs(environment, async () => (await import("../key/keys.ts")).revokeKey),
  );
};

const addCreate = (key: Command, environment: Environment): void => {
  withJson(withOrganization(addCommand(key, "create", "make a key and print it: it is shown only once")))
    .requiredOption("--name <name>", "what the key is for")
    .addOption(new Option("--role <role>", "what it may do").choices(["reader", "writer", "admin"]).default("reader"))
    .option("--user <user>", "user that it belongs to")
    .option("--partition <name or id>", "the only partition that it gives access to; made if it does not exist")
    .option("--expires <time>", "how long it is valid, such as 30d", durationMs)
    .option("--requests-per-minute <number>", "requests it may send in a minute", limitValue)
    .option("--tokens-per-day <number>", "tokens of the answering model it may use in a day", limitValue)
    .option("--max-documents <number>", "documents that it can see at most; beyond that it adds nothing", limitValue)
    .option("--max-bytes <number>", "bytes of texts and files that it can see at most", limitValue)
    .addHelpText("after", "\nAn organization that does not exist is made.")
    .action(runs(environment, async () => (await import("../key/keys.ts")).createKey));
};

/** `ingest`, `list`, `delete` and `ask`. */
export const addDocumentCommands = (program: Command, environment: Environment): void => {
  withServer(
    withJson(withOrganization(addCommand(program, "ingest <source...>", "ingest files, folders and web addresses"))),
  )
    .option("--partition <name>", "partition to ingest into; made if it does not exist")
    .option("--name <name>", "name of the document, if there is only one")
    .option("--metadata <json>", "JSON object kept with each document")
    .option("--watch", "keep running, and follow new, changed, moved and removed files of folders")
    .action(runs(environment, async () => (await import("../ingest/ingest.ts")).ingest));

  withServer(withJson(withOrganization(addCommand(program, "list", "list the documents, newest first"))))
    .option("--partition <name or id>", "only those of one partition")
    .action(runs(environment, async () => (await import("../documents.ts")).listDocuments));

  withServer(
    withJson(withOrganization(addCommand(program, "delete <id>", "delete a document, by its id or its name"))),
  ).action(runs(environment, async () => (await import("../documents.ts")).deleteDocument));

  withServer(withJson(withOrganization(addCommand(program, "ask <question> [files...]", "ask a question"))))
    .description("answer a question from the documents that are stored or, where files are named, from just those")
    .option("--partition <name or id>", "ask only one partition")
    .option("--document <name or id>", "ask only one document")
    .option("--snippets <number>", "how many snippets the answer is made from", wholeNumber(1, 50))
    .action(runs(environment, async () => (await import("../ask.ts")).ask));
};

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
    .option("--key-file <file>", "a file with its key (-: standard input), else CARREL_KEY, else CARREL_ADMIN_KEY")
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
    .action(runs(environment, async () => (await import("../eval/eval.ts")).evaluate));
};

/** `backup` and `restore`. */
export const addBackupCommands = (program: Command, environment: Environment): void => {
  withJson(addCommand(program, "backup [target]", "back up everything to a folder or bucket, while the server runs"))
    .option("--verify [id]", "check the backups that are there, or one of them, byte by byte")
    .addHelpText("after", "\nTarget: a folder, or s3://bucket/prefix; without one, backup.path.")
    .action(runs(environment, async () => (await import("../backup.ts")).backup));

  withJson(
    addCommand(
      program,
      "restore [source]",
      "write a backup into a new data directory, or return to the state before an upgrade",
    ),
  )
    .option("--backup <id>", "which backup; without it, the newest")
    .option("--to <dir>", "the new data directory: missing or empty")
    .option("--list", "list the backups instead")
    .option("--snapshot", "return to the state before the data directory was last upgraded")
    .addHelpText("after", "\nSource: the folder, or s3://bucket/prefix; without one, backup.path.")
    .action(async (source: string | undefined, _options, command: Command) => {
      const options = command.optsWithGlobals();
      if (options.snapshot === true) {
        const { restoreSnapshotCommand } = await import("../restore.ts");
        return await restoreSnapshotCommand(source, options, environment);
      }
      const { restore } = await import("../restore.ts");
      await restore(source, options, environment);
    });
};

/** `export` and `import`. */
export const addExportCommands = (program: Command, environment: Environment): void => {
  withServer(
    withJson(
      withOrganization(addCommand(program, "export <target>", "write everything an organization holds into a folder")),
    ),
  ).action(runs(environment, async () => (await import("../export-import.ts")).exportTo));

  withServer(
    withJson(
      withOrganization(
        addCommand(program, "import <source>", "take in an export; records that are already stored are kept"),
      ),
    ),
  ).action(runs(environment, async () => (await import("../export-import.ts")).importFrom));
};

/** `models`, `doctor`, `check`, `health` and `embedder status`: they show and check. */
export const addCheckCommands = (program: Command, environment: Environment): void => {
  withJson(addCommand(program, "models", "check the configured model servers and show what they offer")).action(
    runs(environment, async () => (await import("../models.ts")).models),
  );

  withJson(addCommand(program, "doctor", "check everything that Carrel needs, and say how to fix what is wrong"))
    .addHelpText("after", "\nNothing is changed, and a running server is not affected.")
    .action(runs(environment, async () => (await import("../doctor.ts")).doctor));

  withJson(addCommand(program, "check", "read every row, file and index, and say what is damaged"))
    .addHelpText(
      "after",
      "\nA running server does it, and makes damaged indexes again; without one, nothing is changed.",
    )
    .action(runs(environment, async () => (await import("../doctor.ts")).check));

  withJson(addCommand(program, "health", "ask the server of these settings whether it is ready, for containers"))
    .addHelpText("after", "\nExit status 0 where it is ready, else 1. It needs no key, and opens no store.")
    .action(runs(environment, async () => (await import("../health.ts")).health));

  const embedder = addGroup(program, "embedder", "the embedding model");
  withJson(addCommand(embedder, "status", "show the model in use, and the progress of a change to another one")).action(
    runs(environment, async () => (await import("../models.ts")).embedderStatus),
  );
};

/** What prints a part of the program: `licenses`, `openapi`, `schema`, `completion` and `version`. */
export const addInformationCommands = (program: Command, environment: Environment): void => {
  withJson(addCommand(program, "licenses", "print the licenses of everything in this program")).action(
    runs(environment, async () => (await import("../licenses.ts")).licenses),
  );

  addCommand(program, "openapi", "print the OpenAPI document of the API (OpenAPI 3.1, JSON)")
    .option("--full", "with forms, streams, aliases and every error, as /openapi.full.json")
    .action(async (options: { full?: boolean }) => {
      const { openapi } = await import("../openapi.ts");
      openapi(options, environment);
    });

  addCommand(program, "schema", "print the JSON Schema of the settings file, for editors").action(async () => {
    const { writeJsonSchema } = await import("../../../config/write.ts");
    environment.write(writeJsonSchema());
  });

  addCommand(program, "completion", "print the completions for a shell")
    .addArgument(new Argument("<shell>", "which one").choices(["bash", "zsh", "fish"]))
    .action(async (shell: Shell) => {
      const { printCompletion } = await import("../completion.ts");
      printCompletion(shell, program, environment);
    });

  withJson(addCommand(program, "version", "print the version")).action((_options, command: Command) => {
    const { json } = command.optsWithGlobals<{ json?: boolean }>();
    const facts = { version, bun: Bun.version, platform: process.platform, arch: process.arch };
    environment.write(json === true ? `${JSON.stringify(facts)}\n` : `carrel ${version}\n`);
  });
};
