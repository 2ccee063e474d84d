/** What was thrown, in words: anything can be thrown. */
export const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

/** The code of a failed system call, such as `ENOENT`; null for what has none. */
export const codeOf = (error: unknown): string | null => {
  const code = error instanceof Error && "code" in error ? error.code : null;
  return typeof code === "string" ? code : null;
};

/** A command failed: exit status 1. The message says what to do next. */
export class CommandFailure extends Error {
  override readonly name = "CommandFailure";
}

/** The arguments of a command are wrong: exit status 2. */
export class UsageFailure extends Error {
  override readonly name = "UsageFailure";
}
