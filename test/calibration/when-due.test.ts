import { expect, test } from "bun:test";
import { createBell } from "../../src/async/bell.ts";
import { type Calibrator, type CalibratorOptions, createCalibrator } from "../../src/calibration/calibrator.ts";
import type { VectorSetInfo } from "../../src/domain/records.ts";
import { gateFeatureNames, gateVersion } from "../../src/retrieval/calibration/feature-names.ts";
import type { CalibrationRecord, SnippetHit, SnippetView, VectorStore } from "../../src/store/contract.ts";
import { silentLog } from "../store/open-temporary-store.ts";
import { until } from "../until.ts";

const sentence = (at: number): string =>
  `The ${["valve", "gasket", "rotor", "filter"][at % 4]} number ${at} is inspected by foreman Okoro${at} on Tuesdays before the depot opens.`;

/** A store of so many snippets, each of its own document, whose features tell what is there from what is not. */
const fakeStore = (snippets: number) => {
  const state = {
    snippets,
    model: "static",
    vectorSet: null as VectorSetInfo | null,
    /** Snippets without vectors of that set. */
    pending: 0,
    isModelAway: false,
    asked: 0,
    /** Of the last question. */
    hearsModel: false,
    looks: 0,
    puts: [] as CalibrationRecord[],
  };
  const searchable = createBell();
  const view = (): SnippetView =>
    ({
      index: { provider: "builtin", model: state.model, analysisVersion: 1 },
      vectorSet: state.vectorSet,
      count: async () => {
        state.looks++;
        return { snippets: state.snippets, documents: state.snippets };
      },
      sample: async () =>
        Array.from({ length: state.snippets }, (_, at) => ({ documentId: `d${at}`, text: sentence(at) }) as SnippetHit),
      close: () => {},
    }) as unknown as SnippetView;
  const features = (coverage: number): number[] =>
    gateFeatureNames.map((name) => (name === "offset" ? 1 : name === "coverage" ? coverage : 0));
  const options: CalibratorOptions = {
    store: {
      searchable,
      openSnippets: view,
      vectors: {
        active: () => state.vectorSet,
        building: () => null,
        pendingSnippets: async () => state.pending,
      } as unknown as VectorStore,
      organizations: {
        list: async () => [{ id: "o", name: "default", createdAt: 0 }],
        getByName: async () => null,
        getById: () => null,
        upsert: () => Promise.reject(new Error("not here")),
      },
      calibrations: {
        list: async () => state.puts.slice(-1),
        put: async (record) => void state.puts.push(record),
      },
    },
    examine: async (_tenant, { leftOut, hearsModel }) => {
      state.asked++;
      state.hearsModel = hearsModel;
      expect(leftOut.size).toBeGreaterThan(0);
      return { withAll: features(0.9), without: features(0.2), isWhole: !state.isModelAway };
    },
    isBusy: () => false,
    log: silentLog,
    lookEveryMs: 5,
  };
  const change = (changed: Partial<typeof state>): void => {
    Object.assign(state, changed);
    searchable.ring();
  };
  return { state, options, change };
};

const running = async (options: CalibratorOptions, work: (calibrator: Calibrator) => Promise<void>): Promise<void> => {
  const calibrator = await createCalibrator(options);
  calibrator.start();
  try {
    await work(calibrator);
  } finally {
    await calibrator.close();
  }
};

test("a store is calibrated once it has some snippets, and again when it has doubled or its model changes", async () => {
  const { state, options, change } = fakeStore(20);
  await running(options, async (calibrator) => {
    await Bun.sleep(60);
    expect(calibrator.of("o")).toBeNull();
    change({ snippets: 100 });
    await until(() => state.puts.length === 1);
    expect(calibrator.of("o")?.snippets).toBe(100);
    change({ snippets: 120 });
    await Bun.sleep(60);
    expect(state.puts).toHaveLength(1);
    change({ snippets: 200 });
    await until(() => state.puts.length === 2);
    change({ model: "minilm" });
    await until(() => state.puts.length === 3);
    expect(state.puts[2]?.fittedWith).not.toBe(state.puts[1]?.fittedWith);
    change({ snippets: 100 });
    await until(() => state.puts.length === 4);
  });
  // A bounded number of questions, whatever the size.
  expect(state.asked).toBeLessThanOrEqual(4 * 160);
});

test("a model is heard once nine tenths of its vectors are there, and until half of them are missing", async () => {
  const { state, options, change } = fakeStore(100);
  const vectorSet = { id: "s", provider: "ollama", model: "nomic" } as VectorSetInfo;
  Object.assign(state, { vectorSet, pending: 97 });
  await running(options, async () => {
    await until(() => state.puts.length === 1);
    expect(state.hearsModel).toBe(false);
    change({ pending: 11 });
    await Bun.sleep(60);
    expect(state.puts).toHaveLength(1);
    change({ pending: 10 });
    await until(() => state.puts.length === 2);
    expect(state.hearsModel).toBe(true);
    change({ pending: 50 });
    await Bun.sleep(60);
    expect(state.puts).toHaveLength(2);
    change({ pending: 51 });
    await until(() => state.puts.length === 3);
    expect(state.hearsModel).toBe(false);
    expect(state.puts[2]?.fittedWith).toBe(state.puts[0]?.fittedWith ?? "");
    expect(state.puts[2]?.fittedWith).not.toBe(state.puts[1]?.fittedWith);
  });
});

test("nothing is looked at while nothing changes", async () => {
  const { state, options, change } = fakeStore(100);
  await running(options, async () => {
    await until(() => state.puts.length === 1);
    // What was under way ends; then nothing is looked at for so long.
    await until(async () => {
      const before = state.looks;
      await Bun.sleep(300);
      return state.looks === before;
    }, "nothing is looked at any more");
    const { looks } = state;
    change({});
    await until(() => state.looks > looks);
  });
});

test("a calibration outlives the program, unless its features are others", async () => {
  const { state, options } = fakeStore(100);
  await running(options, async () => until(() => state.puts.length === 1));
  const kept = await createCalibrator(options);
  expect(kept.of("o")?.coefficients).toEqual(state.puts[0]?.coefficients ?? []);
  await running(options, async () => Bun.sleep(60).then(() => undefined));
  expect(state.puts).toHaveLength(1);
  const [record] = state.puts;
  if (record === undefined) throw new Error("nothing was kept");
  state.puts.push({ ...record, coefficients: [1, 2, 3] });
  expect((await createCalibrator(options)).of("o")).toBeNull();
  // As many features, of an earlier gate: they mean something else.
  const [, ...rest] = JSON.parse(record.fittedWith) as unknown[];
  state.puts.push({ ...record, fittedWith: JSON.stringify([gateVersion - 1, ...rest]) });
  expect((await createCalibrator(options)).of("o")).toBeNull();
  state.puts.push({ ...record, fittedWith: JSON.stringify([gateVersion, "another model"]) });
  expect((await createCalibrator(options)).of("o")).not.toBeNull();
});

test("where the model fails, nothing is learned from half of the evidence", async () => {
  const { state, options } = fakeStore(100);
  state.isModelAway = true;
  await running(options, async (calibrator) => {
    await until(() => state.asked > 0);
    await Bun.sleep(40);
    expect(calibrator.of("o")).toBeNull();
    expect([state.asked, state.puts]).toEqual([1, []]);
  });
});

test("a store that has no calibration stops while it is being made", async () => {
  const { state, options } = fakeStore(200);
  const slow = {
    ...options,
    examine: (...asked: Parameters<CalibratorOptions["examine"]>) =>
      Bun.sleep(20).then(() => options.examine(...asked)),
  };
  await running(slow, async () => until(() => state.asked > 2));
  expect(state.asked).toBeLessThan(100);
  expect(state.puts).toEqual([]);
});
