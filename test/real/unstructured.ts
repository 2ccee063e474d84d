/** The parser's adapter against a real Unstructured server: it reads what the recordings say it does. */
import { describe, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { defaultConfig } from "../../config/load.ts";
import { ApiError } from "../../src/domain/errors.ts";
import { createUnstructuredParser } from "../../src/parse/unstructured/parser.ts";
import { recordedFiles, startUnstructuredReplay } from "../providers/unstructured-recording.ts";
import { realServers } from "./servers.ts";

const { unstructured } = realServers;
const outcomeOf = async (baseUrl: string, name: string): Promise<unknown> => {
  const parser = createUnstructuredParser({ ...defaultConfig().parser, provider: "unstructured" }, baseUrl, 2);
  const bytes = readFileSync(join(import.meta.dir, "../fixtures/documents", name));
  return parser.parse({ bytes, name, mimeType: null }, new AbortController().signal).catch((error: unknown) => {
    if (error instanceof ApiError) return error.code;
    throw error;
  });
};

if (unstructured !== null)
  describe("Unstructured", () => {
    test.each([...recordedFiles])(
      "%s",
      async (name) => {
        const replay = startUnstructuredReplay([]);
        expect(await outcomeOf(unstructured, name)).toEqual(await outcomeOf(replay.url, name));
        await replay.stop();
        // The first file of a kind makes the server load what reads it.
      },
      60_000,
    );
  });
