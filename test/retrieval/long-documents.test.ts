import { afterAll, describe, expect, test } from "bun:test";
import type { FoundSnippet } from "../../src/retrieval/contract.ts";
import { lengthShare } from "../../src/retrieval/scores/candidates.ts";
import { codeForms, isYear, joinedNames, withNameForms, yearForms } from "../../src/retrieval/scores/document-names.ts";
import { createTextScorer, queryWords } from "../../src/retrieval/scores/text-score.ts";
import { openLibrary } from "../../tools/samples/snippets.ts";

const years = [2016, 2017, 2018, 2019];
/** Names as people give them; the text says "the Group". */
const companies = [
  { asked: "Norwell", nameOf: (year: number) => `norwell_ar_${year}_final.pdf` },
  { asked: "Blue Harbor", nameOf: (year: number) => `BLUEHARBOR_${year}_10K.pdf` },
  { asked: "Orrin", nameOf: (year: number) => `orrin-annual-report-FY${String(year).slice(2)}.pdf` },
  { asked: "Halden", nameOf: (year: number) => `Halden ${year}.pdf` },
];
const topics = [
  "currency hedging",
  "pension obligations",
  "lease liabilities",
  "goodwill impairment",
  "cyber security",
];

/** Forty passages, much alike in all reports; all speak of the year before and the year after too. */
const reportOf = (company: number, year: number): string =>
  Array.from({ length: 40 }, (_, at) => {
    const topic = topics[at % topics.length];
    const amount = 100 + ((company * 37 + year * 11 + at * 7) % 900);
    const filler = Array.from({ length: 12 }, (_, part) => `The Board reviewed matter ${part} of section ${at}.`).join(
      " ",
    );
    return `## Section ${at}\n\nOn ${topic} the Group reports ${amount} million, after ${amount + 3} million in ${year - 1} and before what is planned for ${year + 1}. ${filler}`;
  }).join("\n\n");

const names = new Map<string, string>();

const library = await openLibrary();
for (const [at, { nameOf }] of companies.entries())
  for (const year of years) names.set(await library.put(nameOf(year), reportOf(at, year)), nameOf(year));
afterAll(() => library.close());

const firstName = (snippets: readonly FoundSnippet[]): string | undefined => names.get(snippets[0]?.documentId ?? "");

describe("the company and the year of a question decide the document", () => {
  const questions = companies.flatMap(({ asked, nameOf }) =>
    years.flatMap((year, at) => [
      [`What did ${asked} say about ${topics[at]} in ${year}?`, nameOf(year)],
      [`${asked} ${topics[at + 1]} FY${year}`, nameOf(year)],
      [`${topics[at + 1]} of ${asked} in FY${String(year).slice(2)}`, nameOf(year)],
    ]),
  );
  test.each(questions)("%s", async (question, name) => {
    const { snippets, warnings } = await library.find(question ?? "");
    expect(firstName(snippets)).toBe(name ?? "");
    // Most of what is found is of that document, so that its pages are among the first.
    expect(snippets.filter(({ documentId }) => names.get(documentId) === name).length).toBeGreaterThan(3);
    // A year in another form is no code that must stand there word for word.
    expect(warnings).toEqual([]);
  });
});

test("forms of a year, and other codes", () => {
  expect(yearForms("2019")).toEqual(["2019", "fy2019", "fy19"]);
  expect(yearForms("fy19")).toEqual(["2019", "fy2019", "fy19"]);
  expect(yearForms("fy98")).toEqual(["1998", "fy1998", "fy98"]);
  for (const term of ["1204", "20190", "fy1", "hx300", "2019a", ""]) expect(yearForms(term)).toEqual([]);
  expect(["FY2019", "fy07", "2019", "HX-300", "10-K"].map(isYear)).toEqual([true, true, true, false, false]);
});

test("codes with signs and without", () => {
  expect(codeForms("hx-300")).toEqual(["hx300"]);
  expect(codeForms("10-k")).toEqual(["10k"]);
  expect(codeForms("hx300")).toEqual(["hx-300"]);
  for (const term of ["fy19", "fy2019", "2019", "filter", "a-b", "-1", `${"a-".repeat(20)}1`])
    expect(codeForms(term)).toEqual([]);
});

test("a code in the name of a document is held by all its snippets, also where another document mentions it", async () => {
  const shelf = await openLibrary();
  const chapter = (part: string, at: number) =>
    `## Chapter ${at}\n\nTo change the ${part}, loosen screw ${at} and pull it out. ${"Keep the instructions. ".repeat(30)}`;
  const parts = ["filter", "belt", "pump", "valve", "seal", "fan", "motor", "hose", "lamp", "gear", "plug", "cover"];
  const own = await shelf.put("hx300_manual.pdf", parts.map(chapter).join("\n\n"));
  for (const model of [400, 500, 600, 700, 800, 900]) {
    const mention = "## Parts\n\nThe base is that of the HX-300.";
    await shelf.put(`hx${model}_manual.pdf`, `${parts.map(chapter).join("\n\n")}\n\n${mention}`);
  }
  const { snippets, warnings } = await shelf.find("How do I change the valve on the HX-300?");
  expect(snippets[0]?.documentId).toBe(own);
  expect(snippets[0]?.text).toContain("valve");
  expect(warnings).toEqual([]);
  await shelf.close();
});

test("capitalized words of a question as one", () => {
  const joined = (question: string) => joinedNames(question).map((name) => name.joined);
  expect(joined("revenue of Blue Harbor in 2019")).toEqual(["blueharbor"]);
  expect(joined("American Water Works's debt")).toEqual(["americanwater", "americanwaterworks", "waterworks"]);
  expect(joined("no name here")).toEqual([]);
  expect(joined("A B C D E F G H I J K").length).toBe(8);
  const terms = [{ term: "blue", weight: 1, word: 4 }];
  expect(withNameForms(terms, "Blue Harbor")).toEqual([...terms, { term: "blueharbor", weight: 1, word: 4 }]);
});

test("a name counts by its rarity among names, and a year in all its forms alike", () => {
  const counts = new Map([
    ["2019", 80],
    ["norwell", 2],
  ]);
  const titles = new Map([
    ["norwell", 40],
    ["2019", 10],
    ["fy19", 30],
  ]);
  const terms = ["norwell", "2019", "fy19", "debt"].map((term, word) => ({ term, weight: 1, word: Math.min(word, 3) }));
  const [norwell, year, short, debt] = queryWords(terms, { snippets: 100, counts, titles });
  expect(year?.forms[0]?.nameIdf).toBe(norwell?.forms[0]?.nameIdf);
  expect(short?.forms[0]).toEqual({ ...year?.forms[0], term: "fy19" } as NonNullable<typeof short>["forms"][0]);
  expect(debt?.forms[0]?.nameIdf).toBe(0);
  const scorer = createTextScorer(
    [norwell, year].flatMap((word) => word ?? []),
    { characters: 10, terms: 2 },
    0,
  );
  const named = (titleTerms: string) => scorer.score({ terms: "2019 debt", headingTerms: "", titleTerms }).naming;
  expect(named("norwell 2019")).toBeCloseTo(2 * named("norwell"), 10);
  expect(named("norwell 2018 norwell")).toBe(named("norwell"));
  expect(named("halden")).toBe(0);
});

test("names add to the score where documents are long", () => {
  const at = (...positions: number[]) => lengthShare([positions.map((position) => ({ position }))]);
  expect(at()).toBe(0);
  expect(at(0, 0, 0, 1)).toBe(0);
  expect(at(0, 0, 0, 0, 0, 0, 0, 0, 900)).toBe(0);
  expect(at(10, 20, 60, 120)).toBe(1);
  expect(at(2, 3, 5)).toBeGreaterThan(0);
  expect(at(2, 3, 5)).toBeLessThan(1);
});
