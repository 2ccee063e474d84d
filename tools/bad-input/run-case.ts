import { connect } from "node:net";
import type { BadInput, Place } from "./case.ts";

/** What an input got. */
export interface Outcome {
  /** Null: the connection was closed without an answer. */
  status: number | null;
  /** Of the problem document; empty where there is none. */
  code: string;
  /** Of the problem document, or the text that was stored; empty where there is neither. */
  detail: string;
}

/** How long a single input may take: it is the time limit of reading a file, and some more. */
const timeoutMs = 90_000;
/** A body has 10 s to begin. */
const rawTimeoutMs = 12_000;

/** @throws where there is no answer within the time */
export const runCase = async (url: string, place: Place, input: BadInput): Promise<Outcome> => {
  if (input.raw !== undefined) return outcomeOf(await sendRaw(new URL(url), input.raw));
  const { method = "GET", path, as = "admin", json, body, headers } = input;
  const response = await fetch(url + path, {
    method,
    headers: {
      ...(as === null ? {} : { authorization: `Bearer ${place.keys[as]}` }),
      ...(json === undefined ? {} : { "content-type": "application/json" }),
      ...headers,
    },
    ...(json !== undefined ? { body: JSON.stringify(json) } : body === undefined ? {} : { body }),
    signal: AbortSignal.timeout(timeoutMs),
  });
  return outcomeOf({ status: response.status, text: await response.text() });
};

const outcomeOf = ({ status, text }: { status: number | null; text: string }): Outcome => {
  // A batch answers with a line for each of its lines.
  const [first = ""] = text.trim().split("\n");
  const answer = parsed(text) ?? parsed(first);
  const problem = (answer?.error ?? answer) as { code?: unknown; detail?: unknown; text?: unknown } | null;
  if (typeof problem?.code === "string") return { status, code: problem.code, detail: String(problem.detail ?? "") };
  return { status, code: "", detail: typeof problem?.text === "string" ? `Stored: ${problem.text}` : "" };
};

const parsed = (text: string): Record<string, unknown> | null => {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" ? (value as Record<string, unknown> | null) : null;
  } catch {
    return null;
  }
};

/** Sends bytes as they are. @returns the first answer; no status where there is none */
const sendRaw = ({ hostname, port }: URL, text: string): Promise<{ status: number | null; text: string }> =>
  new Promise((resolve) => {
    let received = "";
    const socket = connect({ host: hostname, port: Number(port) }, () => socket.write(Buffer.from(text, "latin1")));
    const end = (): void => {
      clearTimeout(timer);
      socket.destroy();
      const status = /^HTTP\/1\.[01] (\d{3})/.exec(received)?.[1];
      resolve({ status: status === undefined ? null : Number(status), text: received.split("\r\n\r\n")[1] ?? "" });
    };
    const timer = setTimeout(end, rawTimeoutMs);
    socket.on("data", (chunk) => {
      received += chunk.toString("latin1");
      if (received.includes("\r\n\r\n")) setTimeout(end, 50);
    });
    socket.on("close", end);
    socket.on("error", end);
  });
