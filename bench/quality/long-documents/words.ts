import { createRandom } from "../../../src/evaluation/estimates.ts";

/** Choices of a made-up document, the same at each run. */
export interface Chooser {
  of<T>(list: readonly T[]): T;
  some<T>(list: readonly T[], count: number): T[];
  between(low: number, high: number): number;
  chance(share: number): boolean;
}

export const createChooser = (seed: string): Chooser => {
  const random = createRandom(Number(Bun.hash(seed) % 0x7fffffffn));
  const between = (low: number, high: number): number => low + Math.floor(random() * (high - low + 1));
  return {
    // The list is never empty.
    of: (list) => list[between(0, list.length - 1)] as (typeof list)[number],
    some(list, count) {
      const left = [...list];
      return Array.from({ length: Math.min(count, left.length) }, () =>
        left.splice(between(0, left.length - 1), 1),
      ).flat();
    },
    between,
    chance: (share) => random() < share,
  };
};

const subjects = [
  "management",
  "the Board",
  "the Group",
  "our operations",
  "the business",
  "the finance function",
  "local management",
  "the Audit Committee",
  "the executive team",
  "each division",
  "the Company",
  "our people",
];
const verbs = [
  "continued to strengthen",
  "reviewed",
  "closely monitored",
  "invested further in",
  "maintained its focus on",
  "reported steady progress on",
  "reassessed",
  "took measures to protect",
  "set clear priorities for",
  "adapted",
];
const objects = [
  "operational efficiency",
  "the quality of earnings",
  "customer relationships",
  "the cost base",
  "working capital",
  "the investment programme",
  "internal controls",
  "the product portfolio",
  "long-term value creation",
  "the organisation and its processes",
  "market conditions",
  "the regulatory environment",
  "service levels",
  "the balance between growth and returns",
];
const ends = [
  "during the year",
  "compared with the previous year",
  "in line with the plan approved by the Board",
  "across all regions",
  "despite a volatile environment",
  "in the second half of the year",
  "as described elsewhere in this report",
  "with a view to sustainable growth",
  "in accordance with applicable standards",
  "and expects this to continue",
  "while keeping risks at an acceptable level",
  "in close dialogue with stakeholders",
];

/** A sentence that could stand in any report of any company. */
export const reportSentence = (choose: Chooser, topic: readonly string[]): string => {
  const subject = choose.of(subjects);
  const object = choose.chance(0.5) ? choose.of(topic) : choose.of(objects);
  return `${subject[0]?.toUpperCase()}${subject.slice(1)} ${choose.of(verbs)} ${object} ${choose.of(ends)}.`;
};

/** A paragraph of such sentences with what is to be said in it in the middle. */
export const paragraph = (
  choose: Chooser,
  topic: readonly string[],
  said: readonly string[],
  sentences: number,
): string => {
  const around = Array.from({ length: sentences }, () => reportSentence(choose, topic));
  const at = choose.between(0, around.length);
  return [...around.slice(0, at), ...said, ...around.slice(at)].join(" ");
};

export const amount = (value: number): string => value.toLocaleString("en-US");
