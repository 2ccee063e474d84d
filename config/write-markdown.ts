import { variableOf } from "./environment.ts";
import { expectation, type Shape, settingsOf } from "./shape.ts";

/** Everything after this line of docs/configuration.md is generated from the schema. */
const settingsMark = "<!-- From here on made by `bun tools/config-files.ts`. -->";

/**
 * docs/configuration.md with its generated part, a table of every setting.
 * @param page the present content
 */
export const writeMarkdown = (page: string, shape: Shape, unsupported: readonly string[]): string => {
  const [written = ""] = page.split(settingsMark);
  const rows = settingsOf(shape).map(({ path, shape: setting }) => {
    const name = path.join(".");
    const isUnsupported = unsupported.includes(name);
    const note = isUnsupported ? " **Not in this version yet**: any other value is refused." : reloadNote(setting);
    const initial = JSON.stringify(setting.initial);
    return `| \`${name}\`<br>\`${variableOf(path)}\` | \`${initial}\` | ${cell(expectation(setting))} | ${cell(setting.description)}${note} |`;
  });
  return `${written}${settingsMark}\n\n| setting and its variable | default | takes | why |\n|---|---|---|---|\n${rows.join("\n")}\n`;
};

/** Which settings `SIGHUP` changes: docs/operations.md. */
const reloadNote = ({ isLive }: Shape): string => (isLive ? " *Can change while Carrel runs.*" : "");

const cell = (text: string): string => text.replaceAll("|", "\\|");
