import type { Ask, Upload } from "./ask.ts";
import type { Answered, Certainty } from "./judge.ts";
import { certaintyOf } from "./judge.ts";

/** Where to ask, and as whom. */
export interface Server {
  url: string;
  headers: Record<string, string>;
}

interface Receipt {
  certainty?: Certainty;
  confidence?: number;
}

export interface AskedAnswer extends Answered {
  confidence: number | null;
}

const answerMs = 300_000;

const send = async (server: Server, path: string, body: unknown): Promise<unknown> => {
  const response = await fetch(server.url + path, {
    method: "POST",
    headers: { ...server.headers, "content-type": "application/json" },
    body: JSON.stringify(body),
    signal: AbortSignal.timeout(answerMs),
  });
  if (!response.ok) throw new Error(`${path} answered ${response.status}: ${await response.text()}`);
  return response.json();
};

/** Uploads files as people drop them in, one after the other. @returns file name -> id of the document */
export const uploadAll = async (server: Server, documents: readonly Upload[]): Promise<Map<string, string>> => {
  const ids = new Map<string, string>();
  const { authorization = "" } = server.headers;
  for (const { name, bytes, metadata } of documents) {
    const form = new FormData();
    form.set("file", new File([bytes], name));
    if (metadata !== undefined) form.set("metadata", JSON.stringify(metadata));
    const response = await fetch(`${server.url}/api/ingest`, {
      method: "POST",
      headers: { authorization },
      body: form,
    });
    if (!response.ok) throw new Error(`${name} was answered ${response.status}: ${await response.text()}`);
    ids.set(name, ((await response.json()) as { id: string }).id);
  }
  return ids;
};

const answered = (text: string, snippets: number, receipt: Receipt): AskedAnswer => ({
  text,
  snippets,
  certainty: receipt.certainty ?? certaintyOf(text),
  confidence: receipt.confidence ?? null,
});

/** The last answer to an ask: a question alone, or the messages of a chat. */
export const askServer = async (
  server: Server,
  { turns, scope, prompt }: Pick<Ask, "turns" | "scope"> & { prompt?: string | null },
  ids: ReadonlyMap<string, string>,
): Promise<AskedAnswer> => {
  const documentId = scope === null ? null : ids.get(scope);
  if (documentId === undefined) throw new Error(`there is no document "${scope}"`);
  const [first, ...further] = turns;
  if (further.length === 0) {
    const body = { query: first, ...(documentId === null ? {} : { documentId }), ...(prompt ? { prompt } : {}) };
    const { answer, relevantSnippets, receipt } = (await send(server, "/api/query", body)) as {
      answer: string;
      relevantSnippets: unknown[];
      receipt: Receipt;
    };
    return answered(answer, relevantSnippets.length, receipt);
  }
  const chat = (await send(server, "/api/chat", documentId === null ? {} : { documentId })) as { id: string };
  let last: AskedAnswer | null = null;
  for (const message of turns) {
    const said = (await send(server, `/api/chat/${chat.id}/message`, { message })) as {
      message: string;
      sourceDocuments: unknown[];
      receipt: Receipt;
    };
    last = answered(said.message, said.sourceDocuments.length, said.receipt);
  }
  if (last === null) throw new Error("an ask without turns");
  return last;
};
