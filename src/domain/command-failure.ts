/** A command failed: exit status 1. The message says what to do next. */
export class CommandFailure extends Error {
  override readonly name = "CommandFailure";
}

/** The arguments of a command are wrong: exit status 2. */
export class UsageFailure extends Error {
  override readonly name = "UsageFailure";
}
