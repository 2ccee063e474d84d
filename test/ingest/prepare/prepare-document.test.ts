import { describe, expect, test } from "bun:test";
import type { Size } from "../../../src/ingest/index/analyzed-text.ts";
import type { IndexedText } from "../../../src/ingest/index/index-text.ts";
import type { IngestPipeline } from "../../../src/ingest/prepare/contract.ts";
import { createDocumentTurns } from "../../../src/ingest/prepare/document-turn.ts";
import {
  type PreparationDependencies,
  type PreparationOptions,
  type PreparationSteps,
  prepareDocument,
  prepareTexts,
} from "../../../src/ingest/prepare/prepare-document.ts";
import type { ReadText } from "../../../src/ingest/prepare/source.ts";
import { silentLog } from "../../store/open-temporary-store.ts";

const options: PreparationOptions = {
  tenant: { organizationId: "organization", partitionId: null },
  urgency: "interactive",
  characters: 0,
  signal: new AbortController().signal,
};
const text = { kind: "text", text: "A text." } as const;

/** The dependencies with a pipeline that does nothing, and what they saw. */
const preparing = (change: { size?: Size; chunks?: number; blobHash?: string | null } = {}) => {
  const { size = "large", chunks = 1, blobHash = null } = change;
  const turns = createDocumentTurns(2);
  const running = () => ({ large: turns.large.running, small: turns.small.running });
  const released: string[] = [];
  const runningAtIndex: ReturnType<typeof running>[] = [];
  const indexed = { text: "A text.", chunks: Array.from({ length: chunks }) } as IndexedText;
  const pipeline = {
    read: async () => ({ text: "A text.", pages: [], blobHash, putsBlob: blobHash !== null }) as unknown as ReadText,
    sizeOf: () => size,
    index: async () => {
      runningAtIndex.push(running());
      return indexed;
    },
    indexTogether: async (texts: readonly unknown[]) => {
      runningAtIndex.push(running());
      return texts.map(() => indexed);
    },
  } as unknown as IngestPipeline;
  const release = async (hash: string) => void released.push(hash);
  const waited: { isInLine: boolean; holding: ReturnType<typeof running> }[] = [];
  const untilIndexed = async ({ isInLine }: { isInLine: boolean }) =>
    void waited.push({ isInLine, holding: running() });
  const store = { blobs: { release }, documents: { untilIndexed } } as unknown as PreparationDependencies["store"];
  return { deps: { store, pipeline, turns, log: silentLog }, running, released, runningAtIndex, waited };
};

const indexAll = async ({ read, index }: PreparationSteps) => await index(await read(text), "Name");

/** Takes the steps of a document, works with them, and ends them as a use case does. */
const preparingWith = async (
  deps: PreparationDependencies,
  work: (steps: PreparationSteps) => Promise<unknown>,
): Promise<void> => {
  const steps = await prepareDocument(deps, options);
  try {
    await work(steps);
  } finally {
    await steps.end();
  }
};

test("documents wait for an index that is behind before they take a turn, those that nobody waits for in line", async () => {
  const { deps, waited } = preparing();
  await (await prepareDocument(deps, options)).end();
  await (await prepareDocument(deps, { ...options, urgency: "background" })).end();
  await prepareTexts(deps, { ...options, urgency: "background" }, [{ text: "A text.", pages: [] }]);
  const holding = { large: 0, small: 0 };
  expect(waited).toEqual([false, true, true].map((isInLine) => ({ isInLine, holding })));
});

describe("the turn of a document", () => {
  test("is exchanged for one among small documents before a small text is indexed", async () => {
    const small = preparing({ size: "small" });
    await preparingWith(small.deps, indexAll);
    expect(small.runningAtIndex).toEqual([{ large: 0, small: 1 }]);
    const large = preparing({ size: "large" });
    await preparingWith(large.deps, indexAll);
    expect(large.runningAtIndex).toEqual([{ large: 1, small: 0 }]);
  });

  test.each([
    [1, 0],
    [1_000, 1],
  ])("of %d chunks: %d turns are held while it is published", async (chunks, held) => {
    const { deps, running } = preparing({ chunks });
    await preparingWith(deps, async (steps) => {
      await indexAll(steps);
      expect(running()).toEqual({ large: held, small: 0 });
    });
    expect(running()).toEqual({ large: 0, small: 0 });
  });

  test("counts as many for several texts together", async () => {
    const { deps, running, runningAtIndex } = preparing();
    const texts = ["one", "two", "three"].map((each) => ({ text: each, pages: [] }));
    expect(await prepareTexts(deps, options, texts)).toHaveLength(3);
    expect([runningAtIndex, running()]).toEqual([[{ large: 0, small: 3 }], { large: 0, small: 0 }]);
  });
});

describe("a blob that the reading stored", () => {
  const readOnly = async ({ read }: PreparationSteps) => void (await read(text));

  test("is released unless the document takes it", async () => {
    const { deps, released } = preparing({ blobHash: "hash" });
    await preparingWith(deps, async (steps) => {
      await readOnly(steps);
      steps.keepBlob();
    });
    expect(released).toEqual([]);
    await preparingWith(deps, readOnly);
    expect(released).toEqual(["hash"]);
  });
});
