import type { Command } from "commander";
import type { Environment } from "../program/environment.ts";
import { quoted } from "./output/output.ts";

/** What can follow at a place of the command line. */
type Values = { kind: "choices"; choices: readonly string[] } | { kind: "files" } | { kind: "anything" };

interface CompletedOption {
  /** With dashes: `--json`, `-h`. */
  names: readonly string[];
  description: string;
  /** Null: it takes no value, or may be given without one. */
  values: Values | null;
}

/** A command as a completion script needs it. */
interface CompletedCommand {
  /** Words up to it without `carrel`; empty for carrel itself. */
  path: string;
  commands: readonly { name: string; description: string }[];
  options: readonly CompletedOption[];
  /** What its arguments can be; null: it takes none. */
  values: Values | null;
}

/** Names of arguments and values that are files or folders. */
const fileName = /file|folder|dir|source|target|path/i;

const valuesOf = (choices: readonly string[] | undefined, name: string): Values => {
  if (choices !== undefined) return { kind: "choices", choices };
  return fileName.test(name) ? { kind: "files" } : { kind: "anything" };
};

/** The first sentence, for the lists that shells show. */
const short = (description: string): string => description.split(/[;.(]/)[0]?.trim() ?? "";

/** All commands below and with `command`, as commander knows them: nothing is listed a second time. */
const commandTree = (command: Command, path: readonly string[] = []): CompletedCommand[] => {
  const help = command.createHelp();
  const commands = help.visibleCommands(command);
  const [argument] = command.registeredArguments;
  const own: CompletedCommand = {
    path: path.join(" "),
    commands: commands.map((one) => ({ name: one.name(), description: short(one.summary() || one.description()) })),
    options: help.visibleOptions(command).map((option) => ({
      names: [option.long, option.short].filter((name) => typeof name === "string"),
      description: short(option.description),
      values: option.required ? valuesOf(option.argChoices, option.flags.replace(/^[^<]*/, "")) : null,
    })),
    values: argument === undefined ? null : valuesOf(argument.argChoices, argument.name()),
  };
  return [own, ...command.commands.flatMap((one) => commandTree(one, [...path, one.name()]))];
};

/**
 * What a word means by where it stands: `at` is the path of the command and the word, with `|` between.
 * `steps` lead to the command at `to`; `valued` are options that a value follows.
 */
const wordsOf = (commands: readonly CompletedCommand[]) => ({
  steps: commands.flatMap(({ path, commands: below }) =>
    below.map(({ name }) => ({ at: `${path}|${name}`, to: `${path} ${name}`.trim() })),
  ),
  valued: commands.flatMap(({ path, options }) =>
    options.flatMap(({ names, values }) =>
      values === null ? [] : names.map((name) => ({ at: `${path}|${name}`, values })),
    ),
  ),
});

/** For bash 4 and newer. */
const bashScript = (commands: readonly CompletedCommand[]): string => {
  const { steps, valued } = wordsOf(commands);
  const offer = (values: Values | null): string => {
    if (values?.kind === "choices") return `_carrel_words ${quoted(values.choices.join(" "))}`;
    return values?.kind === "files" ? "_carrel_files" : ":";
  };
  const words = commands.map(({ path, commands: below, values }) => {
    const names = below.map(({ name }) => name).join(" ");
    return `      ${quoted(path)}) ${names === "" ? offer(values) : `_carrel_words ${quoted(names)}`} ;;`;
  });
  return `# Completions of carrel for bash: put this into ~/.local/share/bash-completion/completions/carrel
_carrel_words() {
  mapfile -t COMPREPLY < <(compgen -W "$1" -- "$current")
}
_carrel_files() {
  compopt -o filenames 2>/dev/null
  mapfile -t COMPREPLY < <(compgen -f -- "$current")
}
_carrel() {
  local current="\${COMP_WORDS[COMP_CWORD]}" path="" option="" word at
  COMPREPLY=()
  for ((at = 1; at < COMP_CWORD; at++)); do
    word="\${COMP_WORDS[at]}"
    if [[ -n $option ]]; then option=""; continue; fi
    case "$path|$word" in
${steps.map(({ at, to }) => `      ${quoted(at)}) path=${quoted(to)} ;;`).join("\n")}
      ${valued.map(({ at }) => quoted(at)).join(" | ")}) option="$word" ;;
    esac
  done
  if [[ -n $option ]]; then
    case "$path|$option" in
${valued.map(({ at, values }) => `      ${quoted(at)}) ${offer(values)} ;;`).join("\n")}
    esac
  elif [[ $current == -* ]]; then
    case "$path" in
${commands
  .map(({ path, options }) => [quoted(path), quoted(options.flatMap(({ names }) => names).join(" "))])
  .map(([path, names]) => `      ${path}) _carrel_words ${names} ;;`)
  .join("\n")}
    esac
  else
    case "$path" in
${words.join("\n")}
    esac
  fi
}
complete -F _carrel carrel
`;
};

const zshScript = (commands: readonly CompletedCommand[]): string => {
  const { steps, valued } = wordsOf(commands);
  const offer = (values: Values | null): string => {
    if (values?.kind === "choices") return `compadd -- ${values.choices.map(quoted).join(" ")}`;
    return values?.kind === "files" ? "_files" : ":";
  };
  /** `name:what it is`, as `_describe` wants it. */
  const described = (name: string, description: string): string =>
    quoted(`${name.replaceAll(":", "\\:")}:${description}`);
  const options = commands.map(({ path, options: own }) => {
    const all = own.flatMap(({ names, description }) => names.map((name) => described(name, description)));
    return `      (${quoted(path)}) offers=(${all.join(" ")}) ;;`;
  });
  const words = commands.map(({ path, commands: below, values }) => {
    const all = below.map(({ name, description }) => described(name, description));
    return `      (${quoted(path)}) ${all.length === 0 ? offer(values) : `offers=(${all.join(" ")})`} ;;`;
  });
  return `#compdef carrel
# Completions of carrel for zsh: put this into a folder of $fpath as _carrel
_carrel() {
  local place="" option="" word at
  local -a offers
  for ((at = 2; at < CURRENT; at++)); do
    word="\${words[at]}"
    if [[ -n $option ]]; then option=""; continue; fi
    case "$place|$word" in
${steps.map(({ at, to }) => `      (${quoted(at)}) place=${quoted(to)} ;;`).join("\n")}
      (${valued.map(({ at }) => quoted(at)).join(" | ")}) option="$word" ;;
    esac
  done
  if [[ -n $option ]]; then
    case "$place|$option" in
${valued.map(({ at, values }) => `      (${quoted(at)}) ${offer(values)} ;;`).join("\n")}
    esac
  elif [[ \${words[CURRENT]} == -* ]]; then
    case "$place" in
${options.join("\n")}
    esac
  else
    case "$place" in
${words.join("\n")}
    esac
  fi
  (( $#offers )) && _describe -t values carrel offers
}
if [[ $funcstack[1] == _carrel ]]; then _carrel "$@"; else compdef _carrel carrel; fi
`;
};

const fishScript = (commands: readonly CompletedCommand[]): string => {
  const { steps, valued } = wordsOf(commands);
  /** fish knows two escapes between single quotes. */
  const literal = (text: string): string => `'${text.replaceAll("\\", "\\\\").replaceAll("'", "\\'")}'`;
  const offer = (values: Values): string => {
    if (values.kind === "choices") return `-x -a ${literal(values.choices.join(" "))}`;
    return values.kind === "files" ? "-r -F" : "-x";
  };
  const lines = commands.flatMap(({ path, commands: below, options, values }) => {
    const at = `complete -c carrel -n ${literal(`__carrel_is_at ${literal(path)}`)}`;
    return [
      ...below.map(({ name, description }) => `${at} -x -a ${literal(name)} -d ${literal(description)}`),
      ...(below.length > 0 || values === null ? [] : [`${at} ${values.kind === "files" ? "-F" : offer(values)}`]),
      ...options.map(({ names, description, values: own }) => {
        const flags = names.map((name) => (name.startsWith("--") ? `-l ${name.slice(2)}` : `-s ${name.slice(1)}`));
        return `${at} ${flags.join(" ")} ${own === null ? "" : `${offer(own)} `}-d ${literal(description)}`;
      }),
    ];
  });
  return `# Completions of carrel for fish: put this into ~/.config/fish/completions/carrel.fish
function __carrel_is_at
  set -l place ''
  set -l option ''
  for word in (commandline -opc)[2..]
    if test -n "$option"
      set option ''
      continue
    end
    switch "$place|$word"
${steps.map(({ at, to }) => `      case ${literal(at)}\n        set place ${literal(to)}`).join("\n")}
      case ${valued.map(({ at }) => literal(at)).join(" ")}
        set option $word
    end
  end
  test "$place" = $argv[1]
end
complete -c carrel -f
${lines.join("\n")}
`;
};

const scripts = { bash: bashScript, zsh: zshScript, fish: fishScript };

export type Shell = keyof typeof scripts;

/** `carrel completion SHELL`: prints the script that completes the commands and options of `program`. */
export const printCompletion = (shell: Shell, program: Command, { write }: Pick<Environment, "write">): void =>
  write(scripts[shell](commandTree(program)));
