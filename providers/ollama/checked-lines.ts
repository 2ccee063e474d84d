import { ProviderError } from "../contract.ts";
import { addressOf, type Destination } from "../http/destination.ts";
import { quoteServer } from "../http/server-words.ts";

/** Of a line: a piece of text with its counts has a few hundred. */
const maxLineCharacters = 4 * 1024 * 1024;

/**
 * A streamed answer in which every line is JSON, or that fails with a ProviderError; empty lines are taken out. The
 * vendor's library would print any other line to the console, private text included, and go on without it.
 */
export const checkedLines = (response: Response, destination: Destination): Response => {
  if (response.body === null) return response;
  const decoder = new TextDecoder();
  const encoder = new TextEncoder();
  let line = "";
  const pass = (controller: TransformStreamDefaultController<Uint8Array>, end: "\n" | "" = ""): void => {
    if (line.trim() === "") return;
    if (!isJson(line)) throw notJson(line, destination);
    controller.enqueue(encoder.encode(line + end));
  };
  const checking = new TransformStream<Uint8Array, Uint8Array>({
    transform(piece, controller) {
      const [first = "", ...others] = decoder.decode(piece, { stream: true }).split("\n");
      line += first;
      for (const next of others) {
        pass(controller, "\n");
        line = next;
      }
      if (line.length > maxLineCharacters) throw notJson(line, destination);
    },
    flush: (controller) => pass(controller),
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
    `${addressOf(destination)} did not answer as Ollama does: ${quoteServer(line.slice(0, 1_000), destination)} (check ${destination.configKey}.baseUrl)`,
  );
