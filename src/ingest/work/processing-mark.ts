import type { Tenant } from "../../domain/records.ts";
import type { Logger } from "../../log/log.ts";
import type { Store } from "../../store/contract.ts";

/** Most texts take less time than a client needs to look: they are marked only when they take longer than this. */
const markAfterMs = 200;

/** Writes into the store that the processing of a document has begun. */
interface ProcessingMark {
  readonly isSet: boolean;
  /** Resolves when it is stored: only then may anything be done that could end the server. */
  set(begun: number): Promise<void>;
  /** Sets it only where the processing takes longer than a moment. */
  setSoon(begun: number): void;
  /** Resolves when nothing is being written any more; a mark that was due soon is not written then. */
  settled(): Promise<void>;
}

export const createProcessingMark = (
  { store, log }: { store: Pick<Store, "documents">; log: Logger },
  tenant: Tenant,
  documentId: string,
): ProcessingMark => {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let writing: Promise<unknown> | null = null;
  const write = (begun: number) =>
    store.documents.patch(tenant, documentId, { status: "processing", begun, updatedAt: Date.now() });
  return {
    get isSet() {
      return writing !== null;
    },
    async set(begun) {
      const written = write(begun);
      writing = written.catch(() => undefined);
      await written;
    },
    setSoon(begun) {
      timer = setTimeout(() => {
        writing = write(begun).catch((error) =>
          log.warn({ error, documentId }, "a document could not be marked as processing"),
        );
      }, markAfterMs);
    },
    async settled() {
      clearTimeout(timer);
      await writing;
    },
  };
};
