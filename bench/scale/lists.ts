import type { Program } from "../serving/program.ts";
import { type Figure, median } from "./figure.ts";
import { questionsOf, search } from "./questions.ts";
import type { KeptStore } from "./store.ts";

const times = 25;

const timed = async (count: number, work: (at: number) => Promise<unknown>): Promise<number> => {
  const took: number[] = [];
  for (let at = 0; at < count; at++) {
    const started = performance.now();
    await work(at);
    took.push(performance.now() - started);
  }
  return median(took);
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
    const within = async (more: object): Promise<number> => {
      await timed(5, (at) => search(program, asked[at] ?? "what", more));
      return await timed(times, (at) => search(program, asked[at] ?? "what", more));
    };
    const page = (at: number): Promise<unknown> => get(program, `/api/document?limit=50&skip=${50 * at}`);
    const first = (await page(0)) as { data?: { id: string }[] } | { id: string }[];
    const [document] = Array.isArray(first) ? first : (first.data ?? []);
    if (document === undefined) throw new Error("the list has no document");
    const value = async (measure: string, most: number, work: Promise<number>): Promise<Figure> => ({
      measure,
      value: await work,
      unit: "ms",
      floor: null,
      goal: { most },
    });
    return [
      await value("a list of 50 documents", 5, timed(times, page)),
      await value("a question within 2 of 100 documents", 20, within({ metadata: { shelf: "7" } })),
      await value("a question within 25 of 100 documents", 30, within({ metadata: { wing: "1" } })),
      await value("a question within one document", 8, within({ documentId: document.id })),
    ];
  });
