import { quoted } from "../output/output.ts";
import { type CompletedCommand, optionsWithValue, type Values } from "./command-tree.ts";

/** A line of bash that offers values. */
const offer = (values: Values | null): string => {
  if (values?.kind === "choices") return `_carrel_words ${quoted(values.choices.join(" "))}`;
  return values?.kind === "files" ? "_carrel_files" : ":";
};

/** The script for bash 4 and newer (`carrel completion bash`). */
export const bashCompletion = (commands: readonly CompletedCommand[]): string => {
  const steps = commands.flatMap(({ path, commands: below }) =>
    below.map(({ name }) => `      ${quoted(`${path}|${name}`)}) path=${quoted(`${path} ${name}`.trim())} ;;`),
  );
  const valued = commands.flatMap((command) =>
    optionsWithValue(command).map(({ name }) => quoted(`${command.path}|${name}`)),
  );
  const values = commands.flatMap((command) =>
    optionsWithValue(command).map(
      ({ name, values: own }) => `      ${quoted(`${command.path}|${name}`)}) ${offer(own)} ;;`,
    ),
  );
  const options = commands.map(
    ({ path, options: own }) =>
      `      ${quoted(path)}) _carrel_words ${quoted(own.flatMap(({ names }) => names).join(" "))} ;;`,
  );
  const words = commands.map(({ path, commands: below, values: own }) => {
    const names = below.map(({ name }) => name).join(" ");
    return `      ${quoted(path)}) ${names === "" ? offer(own) : `_carrel_words ${quoted(names)}`} ;;`;
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
${steps.join("\n")}
      ${valued.join(" | ")}) option="$word" ;;
    esac
  done
  if [[ -n $option ]]; then
    case "$path|$option" in
${values.join("\n")}
    esac
  elif [[ $current == -* ]]; then
    case "$path" in
${options.join("\n")}
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
