import pino, { type Logger } from "pino";
import type { Config } from "../../config/schema.ts";
import { escapeControls } from "../text/clean-text.ts";

export type { Logger };

/** Fields that are masked, up to three levels deep: `request.headers.authorization`. */
const secretFields = ["authorization", "cookie", "apiKey", "key", "secret", "secretAccessKey", "password", "token"];

/** A Carrel key is masked even in the middle of a text. */
const carrelKey = /crl_[0-9A-Za-z]{43}/g;

/**
 * The log: one line per event on standard error (standard output is for the result of a command), written before the
 * call returns so that a crash loses none. `format: json` is one object a line with `time` (ISO 8601), `level` (a
 * word), `msg` and the fields; `text` is the same for people. Secrets are masked, long values cut, control characters
 * escaped: most of what is logged comes from outside.
 * @param write receives each line with its line end; standard error unless given
 */
export const createLogger = (settings: Config["log"], write?: (line: string) => void): Logger => {
  const destination = write ?? standardError();
  const format = settings.format === "text" ? textLine : jsonLine;
  const children: WeakRef<Logger>[] = [];
  const log = pino(
    {
      level: settings.level,
      base: null,
      onChild: (child) => void children.push(new WeakRef(child)),
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
      serializers: { err: pino.stdSerializers.err, error: pino.stdSerializers.err },
      redact: {
        paths: secretFields.flatMap((name) => [name, `*.${name}`, `*.*.${name}`]),
        censor: "[masked]",
      },
    },
    { write: (line: string) => destination(format(bounded(line.replace(carrelKey, "crl_[masked]")))) },
  );
  childrenOf.set(log, children);
  return log;
};

/** A child keeps a level of its own: the few that parts of the program make are changed one by one. */
const childrenOf = new WeakMap<Logger, WeakRef<Logger>[]>();

/** Changes the level of a log that `createLogger` made, and of its children. */
export const setLogLevel = (log: Logger, level: Config["log"]["level"]): void => {
  log.level = level;
  for (const child of childrenOf.get(log) ?? []) {
    const alive = child.deref();
    if (alive !== undefined) alive.level = level;
  }
};

const standardError = (): ((line: string) => void) => {
  const stream = pino.destination({ fd: 2, sync: true });
  // The reader of the log is gone (a closed pipe): the server continues without a log.
  stream.on("error", () => {});
  return (line) => void stream.write(line);
};

/** Longest value of a field; stacks, and messages of our own that list faults, may be longer. */
const maxValueCharacters = 1_000;
const maxLongCharacters = 8_000;
/** Members of a list or object, and how deep they go. */
const maxMembers = 100;
const maxDepth = 6;

/** The JSON line with long values cut, whatever was logged. */
const bounded = (line: string): string =>
  line.length <= maxValueCharacters ? line : `${JSON.stringify(cut(JSON.parse(line), "", 0))}\n`;

const cut = (value: unknown, name: string, depth: number): unknown => {
  if (typeof value === "string") {
    const most = name === "stack" || name === "msg" ? maxLongCharacters : maxValueCharacters;
    return value.length <= most ? value : `${value.slice(0, most)}… (${value.length} characters)`;
  }
  if (typeof value !== "object" || value === null) return value;
  if (depth === maxDepth) return "…";
  if (Array.isArray(value)) return value.slice(0, maxMembers).map((each) => cut(each, name, depth + 1));
  const members = Object.entries(value).slice(0, maxMembers);
  return Object.fromEntries(members.map(([key, each]) => [cut(key, "", 0), cut(each, key, depth + 1)]));
};

/** JSON itself escapes C0 controls alone. */
const jsonLine = (line: string): string => `${escapeControls(line.trimEnd())}\n`;

/**
 * One JSON line of the log as people read it: `2026-01-31T12:31:07.221Z info  document processed  id=… snippets=12`, with the
 * stacks of errors on the lines below.
 */
const textLine = (json: string): string => {
  const { time, level, msg, ...fields } = JSON.parse(json) as Record<string, unknown>;
  const details: string[] = [];
  let stacks = "";
  for (const [name, value] of Object.entries(fields)) {
    const stack = stackOf(value);
    if (stack === null) details.push(`${name}=${shown(value)}`);
    else for (const each of stack.split("\n")) stacks += `\n    ${shown(each)}`;
  }
  const line = `${String(time)} ${String(level).padEnd(5)} ${shown(msg ?? "")}`;
  return `${line}${details.length > 0 ? `  ${details.join(" ")}` : ""}${stacks}\n`;
};

const stackOf = (value: unknown): string | null => {
  if (typeof value !== "object" || value === null || !("stack" in value)) return null;
  return typeof value.stack === "string" && value.stack !== "" ? value.stack : null;
};

/** A text from outside cannot forge a line of the log. */
const shown = (value: unknown): string =>
  escapeControls(typeof value === "string" ? value : (JSON.stringify(value) ?? ""));
