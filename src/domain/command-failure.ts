/** A command could not do what it was asked: exit status 1. The message says what to do next. */
export class CommandFailure extends Error {
  override readonly name = "CommandFailure";
}

/** A command was called wrongly: exit status 2. */
export class UsageFailure extends Error {
  override readonly name = "UsageFailure";
}
