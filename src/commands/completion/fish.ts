import { type CompletedCommand, optionsWithValue, type Values } from "./command-tree.ts";

/** fish knows two escapes between single quotes. */
const quoted = (text: string): string => `'${text.replaceAll("\\", "\\\\").replaceAll("'", "\\'")}'`;

const offer = (values: Values): string => {
  if (values.kind === "choices") return `-x -a ${quoted(values.choices.join(" "))}`;
  return values.kind === "files" ? "-r -F" : "-x";
};

/** The script for fish (`carrel completion fish`). */
export const fishCompletion = (commands: readonly CompletedCommand[]): string => {
  const steps = commands.flatMap(({ path, commands: below }) =>
    below.map(
      ({ name }) => `      case ${quoted(`${path}|${name}`)}\n        set place ${quoted(`${path} ${name}`.trim())}`,
    ),
  );
  const valued = commands.flatMap((command) =>
    optionsWithValue(command).map(({ name }) => quoted(`${command.path}|${name}`)),
  );
  const lines = commands.flatMap(({ path, commands: below, options, values }) => {
    const at = `complete -c carrel -n ${quoted(`__carrel_is_at ${quoted(path)}`)}`;
    return [
      ...below.map(({ name, description }) => `${at} -x -a ${quoted(name)} -d ${quoted(description)}`),
      ...(below.length > 0 || values === null ? [] : [`${at} ${values.kind === "files" ? "-F" : offer(values)}`]),
      ...options.map(({ names, description, values: own }) => {
        const flags = names.map((name) => (name.startsWith("--") ? `-l ${name.slice(2)}` : `-s ${name.slice(1)}`));
        return `${at} ${flags.join(" ")} ${own === null ? "" : `${offer(own)} `}-d ${quoted(description)}`;
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
${steps.join("\n")}
      case ${valued.join(" ")}
        set option $word
    end
  end
  test "$place" = $argv[1]
end
complete -c carrel -f
${lines.join("\n")}
`;
};
