import type { Config } from "../../config/schema.ts";
import { ask } from "../answers/ask.ts";
import type { PassageModel } from "../answers/quote/nearness.ts";
import { defaultSnippets } from "../answers/read-question.ts";
import { pause } from "../async/waiting.ts";
import type { Tenant } from "../domain/records.ts";
import type { Embedder } from "../embedder/embedder.ts";
import type { Logger } from "../log/log.ts";
import { createRetriever } from "../retrieval/retrieve.ts";
import { type Store, wholeTenant } from "../store/contract.ts";

interface WarmUpDependencies {
  config: Pick<Config, "models" | "answers">;
  store: Pick<Store, "openSnippets" | "organizations" | "documents" | "partitions" | "damage">;
  embedder: Pick<Embedder, "ingestModelFor">;
  passageModel: PassageModel;
  /** True while requests are answered. */
  isBusy(): boolean;
  log: Logger;
}

/** After what else is done at a start. */
const delayMs = 500;
/** Organizations that are looked at for documents. */
const maxOrganizations = 20;
/**
 * One in a language, and one in none that is known, which takes the stemmers of all. Their words do not matter: vectors
 * find something in any text.
 */
const questions = ["Where are the notes of the last meeting kept?", "meeting"];

interface WarmUp {
  /** Resolves when it is over; it never rejects. */
  done: Promise<void>;
  close(): Promise<void>;
}

/**
 * Asks questions that nobody asked, soon after a start with documents: the first one of a process loads tables and
 * compiles code on the thread that all requests share. No model is called, and no answer kept. Where a request comes
 * first, it does that itself.
 */
export const warmUp = (deps: WarmUpDependencies): WarmUp => {
  const closing = new AbortController();
  const done = work(deps, closing.signal).catch((error: unknown) => {
    if (!closing.signal.aborted) deps.log.warn({ err: error }, "the search could not be warmed up");
  });
  return {
    done,
    async close() {
      closing.abort(new Error("the server is stopping"));
      await done;
    },
  };
};

const work = async (
  { config, store, embedder, passageModel, isBusy, log }: WarmUpDependencies,
  signal: AbortSignal,
) => {
  const tenant = await anyTenant(store);
  if (tenant === null) return;
  await pause(delayMs, signal);
  const retrieve = createRetriever({
    store,
    embeddings: embedder.ingestModelFor,
    vectorModelFor: () => null,
    // None is refused, so that something is quoted.
    refusalThreshold: 0,
    log,
  });
  for (const query of questions) {
    if (signal.aborted || isBusy()) return;
    const question = {
      ...wholeTenant,
      query,
      history: [],
      limit: defaultSnippets,
      prompt: null,
      wantsAnswer: true,
      lastSnippets: [],
      isVisitor: false,
      receiptId: "",
    };
    for await (const _ of ask(
      { config, store, retrieve, answerModel: null, passageModel, meaningModel: passageModel },
      tenant,
      question,
      signal,
    ));
  }
  log.debug("the search is warmed up");
};

/** An organization that has documents; null where none has, or none of the first ones. */
const anyTenant = async (store: WarmUpDependencies["store"]): Promise<Tenant | null> => {
  const organizations = await store.organizations.list();
  const view = store.openSnippets();
  try {
    for (const { id } of organizations.slice(0, maxOrganizations)) {
      const tenant = { organizationId: id, partitionId: null };
      if ((await view.count(tenant, wholeTenant)).snippets > 0) return tenant;
    }
    return null;
  } finally {
    view.close();
  }
};
