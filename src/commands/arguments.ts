import { nearestName } from "../../config/fault.ts";
import { UsageFailure } from "../domain/command-failure.ts";

/**
 * The arguments as the parser needs them: without a command it is `serve`; `help key create` is `key create --help`.
 * @param names of the commands
 * @throws UsageFailure for an unknown command
 */
export const argumentsFor = (argv: readonly string[], names: readonly string[]): string[] => {
  const at = argv.findIndex((argument, index) => !argument.startsWith("-") && argv[index - 1] !== "--config");
  if (
    argv.slice(0, at === -1 ? argv.length : at).some((option) => ["-h", "--help", "-V", "--version"].includes(option))
  )
    return [...argv];
  if (at === -1) return ["serve", ...argv];
  if (argv[at] === "help") {
    const rest = argv.slice(at + 1);
    return rest.length === 0 ? ["--help"] : [...argumentsFor(rest, names), "--help"];
  }
  const name = argv[at] ?? "";
  if (names.includes(name)) return [...argv];
  const meant = nearestName(name, [...names, "help"]);
  const hint = meant === null ? "`carrel help` lists them" : `did you mean ${meant}?`;
  throw new UsageFailure(`There is no command ${JSON.stringify(name)}; ${hint}`);
};
