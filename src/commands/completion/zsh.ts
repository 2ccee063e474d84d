import { quoted } from "../output/output.ts";
import { type CompletedCommand, optionsWithValue, type Values } from "./command-tree.ts";

/** A line of zsh that offers values. */
const offer = (values: Values | null): string => {
  if (values?.kind === "choices") return `compadd -- ${values.choices.map(quoted).join(" ")}`;
  return values?.kind === "files" ? "_files" : ":";
};

/** `name:what it is`, as `_describe` wants it. */
const described = (name: string, description: string): string =>
  quoted(`${name.replaceAll(":", "\\:")}:${description}`);

/** The script for zsh (`carrel completion zsh`). */
export const zshCompletion = (commands: readonly CompletedCommand[]): string => {
  const steps = commands.flatMap(({ path, commands: below }) =>
    below.map(({ name }) => `      (${quoted(`${path}|${name}`)}) place=${quoted(`${path} ${name}`.trim())} ;;`),
  );
  const valued = commands.flatMap((command) =>
    optionsWithValue(command).map(({ name }) => quoted(`${command.path}|${name}`)),
  );
  const values = commands.flatMap((command) =>
    optionsWithValue(command).map(
      ({ name, values: own }) => `      (${quoted(`${command.path}|${name}`)}) ${offer(own)} ;;`,
    ),
  );
  const options = commands.map(({ path, options: own }) => {
    const all = own.flatMap(({ names, description }) => names.map((name) => described(name, description)));
    return `      (${quoted(path)}) offers=(${all.join(" ")}) ;;`;
  });
  const words = commands.map(({ path, commands: below, values: own }) => {
    const all = below.map(({ name, description }) => described(name, description));
    return `      (${quoted(path)}) ${all.length === 0 ? offer(own) : `offers=(${all.join(" ")})`} ;;`;
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
${steps.join("\n")}
      (${valued.join(" | ")}) option="$word" ;;
    esac
  done
  if [[ -n $option ]]; then
    case "$place|$option" in
${values.join("\n")}
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
