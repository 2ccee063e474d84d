import { createNotifier } from "../async/notifier.ts";
import { type Principal, seesReasons } from "../domain/principal.ts";
import type { ServerEvent } from "../http/sse.ts";
import type { IngestState } from "../ingest/prepare/replace-document.ts";
import type { IngestQueue } from "../ingest/queue/queue.ts";
import type { Store } from "../store/contract.ts";
import { documentError } from "./document-json.ts";
import { findDocument } from "./find-document.ts";

/** States kept for a client that reads slowly; the oldest are dropped. */
const maxUnreadStates = 100;

/**
 * The state of a document, now and after each change, until it is final. Ends early when the signal fires.
 * @throws ApiError document_not_found
 */
export async function* followDocument(
  { store, ingest }: { store: Store; ingest: IngestQueue },
  principal: Principal,
  id: string,
  signal: AbortSignal,
): AsyncGenerator<ServerEvent> {
  const unread: IngestState[] = [];
  const changed = createNotifier();
  const unsubscribe = ingest.subscribe(id, (state) => {
    unread.push(state);
    if (unread.length > maxUnreadStates) unread.shift();
    changed.notify();
  });
  try {
    const document = await findDocument(store, principal, id);
    // States reported while the record was read are as new as the record, or newer.
    if (unread.length === 0) unread.push(ingest.stateOf(id) ?? document);
    let last = "";
    while (!signal.aborted) {
      const state = unread.shift();
      if (state === undefined) {
        await changed.next(changed.count, signal);
        continue;
      }
      const error = documentError(state, seesReasons(principal));
      const { status, progress, reading } = state;
      const data = { status, error, progress, ...(reading ? { reading } : {}) };
      const written = JSON.stringify(data);
      if (written !== last) yield { event: "status", data };
      last = written;
      if (status === "processed" || status === "failed") return;
    }
  } finally {
    unsubscribe();
  }
}
