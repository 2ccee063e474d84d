import type { Command } from "commander";
import type { Environment } from "../../program/environment.ts";
import { wholeNumber } from "../option-values.ts";
import { addCommand, withJson, withOrganization } from "./define.ts";

/** `ingest` and `ask`. */
export const addDocumentCommands = (program: Command, environment: Environment): void => {
  withJson(withOrganization(addCommand(program, "ingest <source...>", "ingest files, folders and web addresses")))
    .option("--partition <name>", "partition to ingest into; made if it does not exist")
    .option("--name <name>", "name of the document, if there is only one")
    .option("--metadata <json>", "JSON object kept with each document")
    .option("--watch", "keep running, and follow new, changed, moved and removed files of folders")
    .action(async (sources: string[], _options, command: Command) => {
      const { ingest } = await import("../ingest/ingest.ts");
      await ingest(sources, command.optsWithGlobals(), environment);
    });

  withJson(withOrganization(addCommand(program, "ask <question> [files...]", "ask a question")))
    .description("answer a question from the documents that are stored or, where files are named, from just those")
    .option("--partition <name or id>", "ask only one partition")
    .option("--document <id>", "ask only one document")
    .option("--snippets <number>", "how many snippets the answer is made from", wholeNumber(1, 50))
    .action(async (question: string, files: string[], _options, command: Command) => {
      const { ask } = await import("../ask.ts");
      await ask(question, files, command.optsWithGlobals(), environment);
    });
};
