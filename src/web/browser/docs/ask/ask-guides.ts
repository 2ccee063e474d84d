import type { Key, Partition } from "../../shared/api.ts";
import { type Guide, guidesPartition, sendGuides } from "../../shared/guides-partition.ts";
import { at } from "../../shared/prefix.ts";

/** Where a question to the guides leads. */
export type AskOutcome =
  | { kind: "open"; address: string }
  | { kind: "signed-out" }
  /** The guides are not among the documents. */
  | { kind: "not-loaded"; mayLoad: boolean }
  | { kind: "failed"; detail: string };

const maxWaitMs = 30_000;
const pauseMs = 500;

/** A request by the session of the console. */
const call = (path: string, init: RequestInit = {}): Promise<Response> => {
  const headers = new Headers(init.headers);
  headers.set("x-carrel-session", "1");
  return fetch(at(path), { ...init, headers, cache: "no-store", signal: AbortSignal.timeout(maxWaitMs) });
};

const get = async <Loaded>(path: string): Promise<Loaded> => {
  const answer = await call(path);
  if (!answer.ok) throw new Error(((await answer.json().catch(() => ({}))) as { detail?: string }).detail ?? "");
  return (await answer.json()) as Loaded;
};

const findPartition = async (): Promise<Partition | undefined> =>
  (
    await get<Partition[]>(
      `/api/partition/search?${new URLSearchParams({ searchValue: guidesPartition, limit: "100" })}`,
    )
  ).find(({ name }) => name === guidesPartition);

const inConsole = (partition: Partition, question: string): AskOutcome => ({
  kind: "open",
  address: `/ask?${new URLSearchParams({ q: question, partition: partition.id })}`,
});

const outcomeOf = (error: unknown): AskOutcome => ({
  kind: "failed",
  detail: error instanceof TypeError || !(error instanceof Error) ? "" : error.message,
});

/** Finds out whether the console can ask the guides, by whoever is signed in to it. */
export const askGuides = async (question: string): Promise<AskOutcome> => {
  try {
    const session = await call("/api/session");
    if (session.status === 401) return { kind: "signed-out" };
    const partition = await findPartition();
    if (partition !== undefined) return inConsole(partition, question);
    const { role, partitionId } = (await session.json()) as Key;
    return { kind: "not-loaded", mayLoad: role !== "reader" && partitionId === null };
  } catch (error) {
    return outcomeOf(error);
  }
};

/** Puts the guides among the documents, waits until they are read, and asks. */
export const loadAndAsk = async (guides: readonly Guide[], question: string): Promise<AskOutcome> => {
  try {
    const problem = await sendGuides(guides, async (path, init) => await call(path, init));
    if (problem !== null) return { kind: "failed", detail: problem.detail ?? "" };
    const partition = await findPartition();
    if (partition === undefined) return { kind: "not-loaded", mayLoad: true };
    for (const end = Date.now() + maxWaitMs; Date.now() < end; ) {
      const states = await Promise.all(
        ["pending", "processing"].map((status) =>
          get<unknown[]>(`/api/document?${new URLSearchParams({ partitionId: partition.id, status, limit: "1" })}`),
        ),
      );
      if (states.every(({ length }) => length === 0)) break;
      await new Promise((resolve) => setTimeout(resolve, pauseMs));
    }
    return inConsole(partition, question);
  } catch (error) {
    return outcomeOf(error);
  }
};
