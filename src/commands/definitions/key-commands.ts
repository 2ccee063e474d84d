import { type Command, Option } from "commander";
import type { Environment } from "../../program/environment.ts";
import { durationMs } from "../option-values.ts";
import { addCommand, addGroup, limitValue, withJson, withOrganization } from "./define.ts";

/** `key create`, `key list` and `key revoke`. */
export const addKeyCommands = (program: Command, environment: Environment): void => {
  const key = addGroup(program, "key", "make, list and revoke API keys");
  addCreate(key, environment);

  withJson(withOrganization(addCommand(key, "list", "list the keys, without their secrets"))).action(
    async (_options, command: Command) => {
      const { listKeys } = await import("../key/list.ts");
      await listKeys(command.optsWithGlobals(), environment);
    },
  );

  withJson(withOrganization(addCommand(key, "revoke <id>", "revoke a key at once"))).action(
    async (id: string, _options, command: Command) => {
      const { revokeKey } = await import("../key/revoke.ts");
      await revokeKey(id, command.optsWithGlobals(), environment);
    },
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
    .action(async (_options, command: Command) => {
      const { createKey } = await import("../key/create.ts");
      await createKey(command.optsWithGlobals(), environment);
    });
};
