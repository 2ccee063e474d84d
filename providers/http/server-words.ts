import type { Destination } from "./destination.ts";

/** What a server's own words may take up in one of our messages. */
const maxCharacters = 300;

/** A page of a proxy or gateway in front of the server. It says nothing about the failure and may hold anything. */
const isHtml = (text: string): boolean =>
  /<(?:!doctype|!--|\?xml|\/?(?:html|head|body|title|meta|link|script|style|h[1-6]|p|div|span|center|table|pre|a|br|hr)\b)/i.test(
    text,
  );

/** Quoted in place of an HTML page. */
export const htmlPage = "an HTML page, probably from a proxy in between";

/** A text from the server, shortened and without the API key, should the server echo it. HTML pages are not quoted. */
export const quoteServer = (text: string, destination: Destination): string => {
  if (isHtml(text)) return htmlPage;
  const hidden = destination.apiKey ? text.replaceAll(destination.apiKey.reveal(), "***") : text;
  const flat = hidden.replace(/\s+/g, " ").trim();
  return flat.length > maxCharacters ? `${flat.slice(0, maxCharacters)}…` : flat;
};

/** The message in an error body: OpenAI's `{error: {message}}`, Ollama's `{error}`, FastAPI's `{detail}`. */
export const messageIn = (body: string): string => {
  try {
    const parsed: unknown = JSON.parse(body);
    if (typeof parsed !== "object" || parsed === null) return body;
    const { error, detail, message } = parsed as { error?: unknown; detail?: unknown; message?: unknown };
    for (const candidate of [error, detail, message]) {
      if (typeof candidate === "string") return candidate;
      const inner = (candidate as { message?: unknown } | null)?.message;
      if (typeof inner === "string") return inner;
      if (candidate !== undefined && candidate !== null) return JSON.stringify(candidate);
    }
  } catch {
    // Not JSON: an HTML page of a proxy, or plain text.
  }
  return body;
};
