import type { Answer } from "../../../../shared/api.ts";
import { type Client, Unreachable } from "../../../client.ts";
import type { DocumentNames } from "../components/document-names.ts";
import { toPassage } from "../components/passage.ts";
import { streamAnswer, waitForServer } from "./answer-stream.ts";
import { type Asked, isRefusal, toQuery } from "./asked.ts";
import { scopeFields } from "./scope.ts";

const nearestPassages = 3;

interface AnswerReader {
  client: Client;
  names: Pick<DocumentNames, "want" | "learn">;
  /** What is known of the question now; undefined: it is no longer kept. */
  find(id: number): Asked | undefined;
  change(id: number, part: Partial<Asked>): void;
}

/** What a search finds that refuses less than a question. */
const findNearest = async (
  { client, names, change }: AnswerReader,
  asked: Asked,
  signal: AbortSignal,
): Promise<void> => {
  const body = { query: asked.question, ...scopeFields(asked.scope), numberOfDocumentsInContext: nearestPassages };
  const found = await client.send<Answer>("POST", "/api/search", body, signal);
  names.learn(found.relevantDocuments);
  change(asked.id, { nearest: found.relevantSnippets.map(toPassage) });
};

const readOnce = async (reader: AnswerReader, asked: Asked, signal: AbortSignal): Promise<void> => {
  const { client, names, find, change } = reader;
  const { id } = asked;
  for await (const { event, data } of streamAnswer<Answer>(client, "/api/query", toQuery(asked), signal)) {
    if (event === "snippets") {
      const passages = data.map(toPassage);
      names.want(passages.map(({ documentId }) => documentId));
      change(id, { passages, phase: "writing" });
    } else if (event === "delta") change(id, { text: (find(id)?.text ?? "") + data.text });
    else {
      names.learn(data.relevantDocuments);
      const passages = data.relevantSnippets.map(toPassage);
      change(id, { text: data.answer ?? "", passages, receipt: data.receipt, phase: "whole" });
      names.want([data.receipt.computed?.documentId ?? null]);
      if (isRefusal(data.receipt) && data.receipt.searched.snippets > 0) await findNearest(reader, asked, signal);
    }
  }
};

/**
 * Sends the question and shows its answer as it arrives. Where the connection is lost before anything arrived, it is asked
 * again when the server is back. Failures become the phase of the question.
 */
export const readAnswer = async (reader: AnswerReader, asked: Asked, signal: AbortSignal): Promise<void> => {
  const { client, find, change } = reader;
  const { id } = asked;
  try {
    for (;;) {
      try {
        return await readOnce(reader, asked, signal);
      } catch (error) {
        if (!(error instanceof Unreachable)) throw error;
        if (find(id)?.phase === "whole") return;
        const hasBegun = find(id)?.phase === "writing";
        change(id, { phase: hasBegun ? "lost" : "waiting" });
        await waitForServer(client, signal);
        if (hasBegun) return change(id, { phase: "back" });
      }
    }
  } catch (error) {
    if (signal.aborted) change(id, { phase: "stopped" });
    else if (find(id)?.phase !== "whole") change(id, { phase: "failed", failure: error });
  }
};
