import { cpuSecondsOf } from "../serving/process-figures.ts";
import type { Program } from "../serving/program.ts";
import type { Figure } from "./figure.ts";
import { questionsOf, search, settle } from "./questions.ts";
import type { KeptStore } from "./store.ts";

const times = 25;

/** CPU milliseconds of the program for each of so many pieces of work. */
const cpuOfEach = async (program: Program, count: number, work: (at: number) => Promise<unknown>): Promise<number> => {
  const before = cpuSecondsOf(program.pid);
  for (let at = 0; at < count; at++) await work(at);
  return ((cpuSecondsOf(program.pid) - before) * 1_000) / count;
};

const get = async (program: Program, path: string): Promise<unknown> => {
  const answer = await fetch(program.url + path, { headers: program.headers });
  if (!answer.ok) throw new Error(`${path} answered ${answer.status}: ${await answer.text()}`);
  return answer.json();
};

/** A list of 50 documents, and questions within a few documents, many, and one. */
export const lists = (store: KeptStore): Promise<Figure[]> =>
  store.read(async (program) => {
    const asked = questionsOf(31, times);
    await settle(program);
    const within = async (more: object): Promise<number> => {
      await cpuOfEach(program, 5, (at) => search(program, asked[at] ?? "what", more));
      return await cpuOfEach(program, times, (at) => search(program, asked[at] ?? "what", more));
    };
    const page = (at: number): Promise<unknown> => get(program, `/api/document?limit=50&skip=${50 * at}`);
    const first = (await page(0)) as { data?: { id: string }[] } | { id: string }[];
    const [document] = Array.isArray(first) ? first : (first.data ?? []);
    if (document === undefined) throw new Error("the list has no document");
    const value = async (measure: string, most: number, work: Promise<number>): Promise<Figure> => ({
      measure,
      value: await work,
      unit: "ms of CPU",
      floor: null,
      goal: { most },
    });
    return [
      await value("a list of 50 documents", 5, cpuOfEach(program, times, page)),
      await value("a question within 2 of 100 documents", 20, within({ metadata: { shelf: "7" } })),
      await value("a question within 25 of 100 documents", 30, within({ metadata: { wing: "1" } })),
      await value("a question within one document", 8, within({ documentId: document.id })),
    ];
  });
