import { ProviderError } from "../contract.ts";
import { addressOf, type Destination } from "../http/destination.ts";
import { quoteServer } from "../http/server-words.ts";

/** Longest line that is an answer: a piece of text with its counts is a few hundred bytes. */
const MOST_CHARACTERS = 4 * 1024 * 1024;

/**
 * A streamed answer whose every line is JSON, or that fails as a ProviderError. The vendor's library prints a line that
 * is none to the console, whoever's text stands in it, and goes on as if it had not been there.
 */
export const checkedLines = (response: Response, destination: Destination): Response => {
  if (response.body === null) return response;
  const decoder = new TextDecoder();
  let line = "";
  const check = (): void => {
    if (line.trim() !== "" && !isJson(line)) throw notJson(line, destination);
    line = "";
  };
  const checking = new TransformStream<Uint8Array, Uint8Array>({
    transform(piece, controller) {
      const [first = "", ...others] = decoder.decode(piece, { stream: true }).split("\n");
      line += first;
      for (const next of others) {
        check();
        line = next;
      }
      if (line.length > MOST_CHARACTERS) throw notJson(line, destination);
      controller.enqueue(piece);
    },
    flush: check,
  });
  return new Response(response.body.pipeThrough(checking), { status: response.status, headers: response.headers });
};

const isJson = (text: string): boolean => {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
};

const notJson = (line: string, destination: Destination): ProviderError =>
  new ProviderError(
    destination.service,
    "bad_answer",
    `${addressOf(destination)} answered with something else than an Ollama does: ${quoteServer(line.slice(0, 1_000), destination)} (check ${destination.configKey}.baseUrl)`,
  );
