import { resolve } from "node:path";
import { readVariable } from "../../../config/environment.ts";
import { messageOf, UsageFailure } from "../../domain/errors.ts";
import type { Environment } from "../../program/environment.ts";
import { readSmallFile } from "../../system/read-small-file.ts";
import { checkServerAddress } from "../client/client.ts";
import type { EvalOptions } from "./output.ts";

/** A key has 47 characters; a wrong path may lead to a file of any length. */
const maxKeyBytes = 4_096;

interface RemoteServer {
  address: string;
  key: string;
}

/**
 * The server named by `--server`, with its key from `--key-file`, `CARREL_KEY` or `CARREL_ADMIN_KEY`. The key is never taken from an
 * argument, because every user of the machine can read arguments in the list of processes.
 * @returns null without `--server`
 * @throws UsageFailure
 */
export const readRemoteServer = async (
  { server, keyFile, key }: EvalOptions,
  { env, cwd }: Pick<Environment, "env" | "cwd">,
): Promise<RemoteServer | null> => {
  if (key !== undefined)
    throw new UsageFailure(
      "A key on the command line can be read in the list of processes: give it in a file (--key-file FILE) or as CARREL_KEY. Revoke this one where others use the machine.",
    );
  if (server === undefined) {
    if (keyFile !== undefined) throw new UsageFailure("--key-file goes with --server.");
    return null;
  }
  checkServerAddress(server);
  const given =
    keyFile === undefined
      ? env.CARREL_KEY?.trim() || (await readVariable(env, "CARREL_ADMIN_KEY", cwd))
      : await readKey(resolve(cwd, keyFile), keyFile);
  if (given === null)
    throw new UsageFailure(
      "--server needs a key: --key-file FILE, or CARREL_KEY, or CARREL_ADMIN_KEY (or a file in CARREL_ADMIN_KEY_FILE).",
    );
  return { address: server, key: given };
};

const readKey = async (path: string, given: string): Promise<string> => {
  const bytes =
    given === "-"
      ? await Bun.stdin.slice(0, maxKeyBytes).bytes()
      : await readSmallFile(path, { maxBytes: maxKeyBytes, what: "a key" }).catch((error: unknown) => {
          throw new UsageFailure(`The key cannot be read: ${given} ${messageOf(error)}.`);
        });
  const key = new TextDecoder().decode(bytes).trim();
  if (key === "" || /\s/.test(key)) throw new UsageFailure(`${given} must contain a key and nothing else.`);
  return key;
};
