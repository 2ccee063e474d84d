import type { IngestedDocument, Problem } from "../../../../shared/api.ts";
import { at } from "../../../../shared/prefix.ts";
import { session } from "../../../state/session.ts";
import { addingStrings as texts } from "./strings.ts";
import { SendFailure } from "./upload-queue.ts";

/** What is sent of a file, and where it goes. */
export interface FileToSend {
  file: File;
  /** With its folders; kept in the metadata where there are any. */
  path: string;
  partitionId: string | null;
  /** The same for every attempt: a file whose answer was lost is not stored twice. */
  idempotencyKey: string;
}

interface SendOptions {
  /** @param share 0 to 1 of its bytes */
  onProgress(share: number): void;
  signal: AbortSignal;
}

/**
 * Sends a file, to be read afterwards. By XMLHttpRequest: `fetch` does not tell how much is sent.
 * @returns the id of its document
 * @throws SendFailure, AbortError
 */
export const sendFile = async (
  { file, path, partitionId, idempotencyKey }: FileToSend,
  { onProgress, signal }: SendOptions,
): Promise<string> => {
  await file
    .slice(0, 1)
    .arrayBuffer()
    .catch(() => {
      throw new SendFailure(texts.unreadable, null);
    });
  const form = new FormData();
  form.set("async", "true");
  if (partitionId !== null) form.set("partitionId", partitionId);
  if (path.includes("/")) form.set("metadata", JSON.stringify({ path }));
  form.set("file", file);
  signal.throwIfAborted();
  return await new Promise<string>((resolve, reject) => {
    const request = new XMLHttpRequest();
    const abort = () => request.abort();
    signal.addEventListener("abort", abort);
    request.addEventListener("loadend", () => signal.removeEventListener("abort", abort));
    request.upload.addEventListener("progress", ({ loaded, total }) => onProgress(total === 0 ? 0 : loaded / total));
    request.addEventListener("abort", () => reject(new DOMException("The sending was stopped.", "AbortError")));
    request.addEventListener("error", () => reject(new SendFailure(texts.lost, "later")));
    request.addEventListener("load", () => {
      const answer = bodyOf(request);
      if (request.status >= 200 && request.status < 300) resolve((answer as IngestedDocument).id);
      else reject(failureOf(request, answer as Partial<Problem>));
    });
    request.open("POST", at("/api/ingest"));
    request.setRequestHeader("x-carrel-session", "1");
    request.setRequestHeader("idempotency-key", idempotencyKey);
    request.send(form);
  });
};

const bodyOf = ({ responseText }: XMLHttpRequest): object => {
  try {
    return JSON.parse(responseText) as object;
  } catch {
    return {};
  }
};

const failureOf = (request: XMLHttpRequest, { detail }: Partial<Problem>): SendFailure => {
  const { status } = request;
  if (status === 401) session.value = null;
  const seconds = Number(request.getResponseHeader("retry-after"));
  const again = status === 429 || status === 503 ? (seconds > 0 ? seconds * 1_000 : "later") : null;
  return new SendFailure(detail ?? `The server answered ${status}.`, again);
};
