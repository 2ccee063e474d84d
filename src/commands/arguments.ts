import { nearestName } from "../../config/fault.ts";
import { UsageFailure } from "../domain/command-failure.ts";

/** Where the name of the command is; -1 if there is none. */
const nameAt = (argv: readonly string[]): number =>
  argv.findIndex((argument, index) => !argument.startsWith("-") && argv[index - 1] !== "--config");

const informs = (option: string): boolean => ["-h", "--help", "-V", "--version"].includes(option);

/** Whether the arguments start the server. */
export const isServe = (argv: readonly string[]): boolean => {
  const at = nameAt(argv);
  return !argv.some(informs) && (at === -1 || argv[at] === "serve");
};

/**
 * The arguments as the parser needs them: without a command it is `serve`; `help key create` is `key create --help`.
 * @param names of the commands
 * @throws UsageFailure for an unknown command
 */
export const argumentsFor = (argv: readonly string[], names: readonly string[]): string[] => {
  const at = nameAt(argv);
  if (argv.slice(0, at === -1 ? argv.length : at).some(informs)) return [...argv];
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
