/**
 * One JSON line of the log as people read it: `12:31:07.221 info  document processed  id=… snippets=12`, with the
 * stacks of errors on the lines below.
 */
export const textLine = (json: string): string => {
  const { time, level, msg, ...fields } = JSON.parse(json) as Record<string, unknown>;
  const clock = typeof time === "string" ? time.slice(11, 23) : "";
  const details: string[] = [];
  let stacks = "";
  for (const [name, value] of Object.entries(fields)) {
    const stack = stackOf(value);
    if (stack === null) details.push(`${name}=${shown(value)}`);
    else for (const each of stack.split("\n")) stacks += `\n    ${shown(each)}`;
  }
  const line = `${clock} ${String(level).padEnd(5)} ${shown(msg ?? "")}`;
  return `${line}${details.length > 0 ? `  ${details.join(" ")}` : ""}${stacks}\n`;
};

const stackOf = (value: unknown): string | null => {
  if (typeof value !== "object" || value === null || !("stack" in value)) return null;
  return typeof value.stack === "string" && value.stack !== "" ? value.stack : null;
};

/** Line ends and control characters are escaped: a text from outside cannot forge a line of the log. */
const shown = (value: unknown): string => {
  const text = typeof value === "string" ? value : (JSON.stringify(value) ?? "");
  return text.replace(/\p{Cc}/gu, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`);
};
