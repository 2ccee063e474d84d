import { mkdir } from "node:fs/promises";
import { CommandFailure } from "../domain/command-failure.ts";
import { codeOf } from "../domain/thrown.ts";

/** Makes the data directory, for its owner alone. @throws CommandFailure where it cannot be used */
export const makeDataDir = async (dataDir: string): Promise<void> => {
  if (process.platform !== "win32" && /[?\\\p{Cc}]/u.test(dataDir))
    throw new CommandFailure(
      `The path of the data directory ${JSON.stringify(dataDir)} contains a character that LanceDB cannot open (?, \\ or a control character): set dataDir (CARREL_DATA_DIR) to another one.`,
    );
  try {
    await mkdir(dataDir, { recursive: true, mode: 0o700 });
  } catch (error) {
    const code = codeOf(error) ?? String(error);
    throw new CommandFailure(
      `The data directory ${dataDir} cannot be created (${code}): set dataDir (CARREL_DATA_DIR) to a folder this user may write to.`,
    );
  }
};
