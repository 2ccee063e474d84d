import { afterAll, describe, expect, test } from "bun:test";
import { ProviderError } from "../../providers/contract.ts";
import { hashingModel, type Library, openLibrary, requestFor } from "../../tools/samples/snippets.ts";

const ids: Record<string, string> = {};
const never = new AbortController().signal;

const library = await openLibrary();
const put = async (key: string, name: string, text: string, options?: Parameters<Library["put"]>[2]) => {
  ids[key] = await library.put(name, text, options);
};
await put("leave", "Leave policy", "Annual leave is thirty days. Unused days expire in March.");
await put(
  "pool",
  "Pool rules",
  "The pool opens at nine in summer. In winter it opens at eleven and the sauna is heated.",
);
await put("museum", "Museum guide", "The museum opens at ten in summer. In winter it is closed on Mondays.");
for (const [index, code] of ["AB-1204/6", "AB-1204/7", "AB-1205/7", "AB-1204/77"].entries()) {
  await put(code, `Part ${index}`, `Spare part ${code}: a gasket for the pump, part of series AB, pressure 7 bar.`);
}
await put("phrase", "Report", "Net revenue grew. Revenue of the net business, which is net of tax revenue, did not.");
await put(
  "words",
  "Notes",
  "The net was full of fish, and revenue came from net sales of revenue stamps and net bags.",
);
await put("german", "Ordnung", "Die Kündigungsfrist beträgt drei Monate zum Ende des Quartals.");
await put("married", "Nachlass", "Der Steuermann hat 1902 in Bergen geheiratet.");
await put(
  "died",
  "Nachruf",
  "Der Steuermann ist nach langer Krankheit 1902 in Bergen im Haus der Schwester gestorben.",
);
await put("russian", "Правила", "Читальный зал открыт для посетителей до восьми часов вечера.");
await put("chinese", "手册", "图书馆的开放时间是上午九点到下午六点。");
await put("thai", "คู่มือ", "ห้องสมุดเปิดเวลาเก้าโมงเช้าทุกวัน");
await put("hindi", "नियम", "पुस्तकालय सुबह नौ बजे खुलता है और शाम को बंद होता है।");
await put("secret", "Elsewhere", "The vault code is kept by the treasurer.", {
  partitionId: "other",
  metadata: { year: 2020 },
});
await put("new vault", "Here", "The vault of this house is empty.", {
  partitionId: "mine",
  metadata: { year: 2024 },
});
afterAll(() => library.close());

const first = async (query: string): Promise<string | undefined> => (await library.find(query)).snippets[0]?.documentId;

describe("what is found first", () => {
  test.each([
    ["When do unused days of leave expire?", "leave"],
    ["Wie lang ist die Kündigungsfrist?", "german"],
    ["Kundigungsfristen", "german"],
    ["Wer starb 1902 in Bergen?", "died"],
    ["До какого часа открыт читальный зал?", "russian"],
    ["图书馆什么时候开放？", "chinese"],
    ["ห้องสมุดเปิดกี่โมง", "thai"],
    ["पुस्तकालय कब खुलता है?", "hindi"],
  ])("%s", async (query, key) => {
    expect(await first(query)).toBe(ids[key]);
  });

  test.each(["AB-1204/6", "AB-1204/7", "AB-1205/7", "AB-1204/77"])("the code %s", async (code) => {
    expect(await first(code)).toBe(ids[code]);
    expect(await first(`What pressure does part ${code.toLowerCase()} stand?`)).toBe(ids[code]);
  });

  test("a passage in quotation marks, word for word", async () => {
    expect(await first('"net of tax revenue"')).toBe(ids.phrase);
    expect(await first('fish "revenue stamps"')).toBe(ids.words);
    const { warnings } = await library.find('"revenue of fish"');
    expect(warnings).toEqual([expect.stringContaining('"revenue of fish"')]);
  });
});

test("the best comes first, scores lie between 0 and 1, and distances between 0 and 2", async () => {
  const { snippets } = await library.find("When does the pool open in winter?", { limit: 50 });
  expect(snippets.length).toBeGreaterThan(2);
  for (const { score, distance } of snippets) {
    expect(score).toBeLessThanOrEqual(snippets[0]?.score ?? 0);
    expect(score).toBeGreaterThanOrEqual(0);
    expect(distance).toBeGreaterThanOrEqual(0);
    expect(distance).toBeLessThanOrEqual(2);
  }
});

test("a follow-up leans on the turns before it", async () => {
  const history = [
    { role: "user" as const, text: "When does the pool open in summer?" },
    { role: "assistant" as const, text: "The pool opens at nine in summer. [1]" },
  ];
  const alone = await library.find("and in winter?");
  expect(alone.snippets[0]?.documentId).toBe(ids.museum ?? "");
  const followed = await library.find("and in winter?", { history });
  expect(followed.snippets[0]?.documentId).toBe(ids.pool ?? "");
  expect(followed.understood).toBe("When does the pool open in summer? and in winter?");
  const changed = await library.find("How many days of annual leave are there?", { history });
  expect(changed.snippets[0]?.documentId).toBe(ids.leave ?? "");
});

test("where nothing is relevant, nothing is returned, and it is said what was left out", async () => {
  const retrieve = library.retriever({ refusalThreshold: 0.5 });
  const refused = await retrieve(library.tenant, requestFor("Which enzymes split lactose in yeast cultures?"), never);
  expect(refused.snippets).toEqual([]);
  expect(refused.confidence).toBeLessThan(0.5);
  expect(refused.dropped).toEqual([{ reason: "not_relevant", count: expect.any(Number) }]);
  const answered = await retrieve(library.tenant, requestFor("When do unused days of annual leave expire?"), never);
  expect(answered.confidence).toBeGreaterThan(0.5);
  expect(answered.snippets[0]?.documentId).toBe(ids.leave ?? "");
});

describe("the embedding model", () => {
  test("may fail: full text answers alone, and says so", async () => {
    const model = hashingModel({
      embed: () => Promise.reject(new ProviderError("embedding", "unreachable", "nobody at localhost:11434")),
    });
    const found = await library.retriever({ model })(library.tenant, requestFor("annual leave"), never);
    expect(found.snippets[0]?.documentId).toBe(ids.leave ?? "");
    expect(found.snippets[0]?.distance).toBe(1);
    expect(found.searched.vectors).toBe(0);
    expect(found.warnings).toEqual([
      {
        text: "Full text searched alone, because the embedding model failed",
        reason: "nobody at localhost:11434",
      },
    ]);
  });

  test("that is built in is being loaded where it cannot be reached: no failure is told of", async () => {
    const embed = () => Promise.reject(new ProviderError("embedding", "unreachable", "it is being loaded"));
    const model = { ...hashingModel({ embed }), provider: "builtin" as const };
    const found = await library.retriever({ model })(library.tenant, requestFor("annual leave"), never);
    const text = "Full text searched alone, because the embedding model is not ready";
    expect(found.warnings).toEqual([{ text, reason: "it is being loaded" }]);
  });

  test("must not be broken in another way", async () => {
    const model = hashingModel({ embed: () => Promise.reject(new TypeError("a fault of ours")) });
    const failing = library.retriever({ model })(library.tenant, requestFor("annual leave"), never);
    await expect(failing).rejects.toThrow("a fault of ours");
  });

  test("finds what shares no word with the question's terms", async () => {
    const found = await library.find("the of and");
    expect(found.searched.vectors).toBeGreaterThan(0);
  });
});

test("a caller that has left is not answered", async () => {
  const gone = new AbortController();
  gone.abort(new Error("left"));
  await expect(library.retriever({})(library.tenant, requestFor("leave"), gone.signal)).rejects.toThrow("left");
});

test.each(["'; DROP TABLE snippets; --", '"', '""', "\\", "*", "a AND (b OR", "\0", "\ud800", "𝒜𝒷𝒸", "?!", "%_[]"])(
  "%j is a question like any other",
  async (query) => {
    const { snippets, confidence } = await library.find(query);
    expect(snippets.length).toBeLessThanOrEqual(6);
    expect(confidence).toBeGreaterThanOrEqual(0);
  },
);

test("only what surely holds nothing is withheld, however readily answers are refused", async () => {
  const request = requestFor("heated sauna in winter at the museum");
  const asked = await library.retriever({ refusalThreshold: 0.5 })(library.tenant, request, never);
  const searched = await library.retriever({ refusalThreshold: 0.999 })(library.tenant, request, never);
  expect(searched.confidence).toBe(asked.confidence);
  expect(searched.snippets.length).toBeGreaterThan(0);
});
