import { nearestName } from "../../../config/fault.ts";
import { UsageFailure } from "../../domain/errors.ts";

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
 * @param commands their names, each with those of its parts
 * @throws UsageFailure for an unknown command
 */
export const argumentsFor = (argv: readonly string[], commands: ReadonlyMap<string, readonly string[]>): string[] => {
  const at = nameAt(argv);
  if (argv.slice(0, at === -1 ? argv.length : at).some(informs)) return [...argv];
  if (at === -1) return ["serve", ...argv];
  if (argv[at] === "help") {
    const [name, part, ...others] = argv.slice(at + 1);
    if (name === undefined) return ["--help"];
    const parts = commands.get(known(name, "", [...commands.keys(), "help"])) ?? [];
    if (part !== undefined && parts.length > 0) known(part, `${name} `, [...parts, "help"]);
    return [...argumentsFor([name, ...(part === undefined ? [] : [part]), ...others], commands), "--help"];
  }
  known(argv[at] ?? "", "", [...commands.keys(), "help"]);
  return [...argv];
};

/** @param group the command that it is a part of, with a space @throws UsageFailure */
const known = (name: string, group: string, names: readonly string[]): string => {
  if (names.includes(name) || name.startsWith("-")) return name;
  const meant = nearestName(name, names);
  const hint =
    meant === null
      ? `\`carrel help${group === "" ? "" : ` ${group.trim()}`}\` lists them`
      : `did you mean ${group}${meant}?`;
  throw new UsageFailure(`There is no command ${JSON.stringify(group + name)}; ${hint}`);
};
