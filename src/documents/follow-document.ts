import type { Principal } from "../domain/principal.ts";
import { isToldReasons } from "../domain/principal.ts";
import type { ServerEvent } from "../domain/server-event.ts";
import type { IngestQueue } from "../ingest/work/queue.ts";
import type { IngestState } from "../ingest/work/watchers.ts";
import type { Store } from "../store/contract.ts";
import { documentError } from "./document-json.ts";
import { findDocument } from "./find-document.ts";

/** States kept for a client that reads slowly; of more, the oldest are left out. */
const MOST_UNREAD = 100;

/**
 * How a document stands, now and at each change, until its state is final. Ends without more when the signal fires.
 * @throws ApiError document_not_found
 */
export async function* followDocument(
  { store, ingest }: { store: Store; ingest: IngestQueue },
  principal: Principal,
  id: string,
  signal: AbortSignal,
): AsyncGenerator<ServerEvent> {
  const unread: IngestState[] = [];
  let wake = () => {};
  const unsubscribe = ingest.subscribe(id, (state) => {
    unread.push(state);
    if (unread.length > MOST_UNREAD) unread.shift();
    wake();
  });
  const onAbort = () => wake();
  signal.addEventListener("abort", onAbort);
  try {
    const document = await findDocument(store, principal, id);
    // What was told while the record was read is newer than it, or the same.
    if (unread.length === 0) unread.push(ingest.stateOf(id) ?? document);
    let last = "";
    while (!signal.aborted) {
      const state = unread.shift();
      if (state === undefined) {
        await new Promise<void>((resolve) => {
          wake = resolve;
          if (unread.length > 0 || signal.aborted) resolve();
        });
        continue;
      }
      const error = documentError(state, isToldReasons(principal));
      const data = { status: state.status, error, progress: state.progress };
      const written = JSON.stringify(data);
      if (written !== last) yield { event: "status", data };
      last = written;
      if (state.status === "processed" || state.status === "failed") return;
    }
  } finally {
    unsubscribe();
    signal.removeEventListener("abort", onAbort);
  }
}
