/** What audits found wrong, and how much they looked at. */
export interface Report {
  /** Acknowledged and not there (or there though its removal was acknowledged), or another than acknowledged. */
  lost: string[];
  /** Neither the state before nor the state after a write. */
  half: string[];
  /** The server did not start, or did not stop. */
  starts: string[];
  /** Answers that should not have been given. */
  answers: string[];
  /** Writes that were acknowledged, and writes that were under way at a fault: done and not done. */
  acknowledged: number;
  underWay: { done: number; undone: number };
  /** Records compared and searches made by the audits. */
  compared: number;
  searched: number;
}

export const createReport = (): Report => ({
  lost: [],
  half: [],
  starts: [],
  answers: [],
  acknowledged: 0,
  underWay: { done: 0, undone: 0 },
  compared: 0,
  searched: 0,
});

const kinds = ["lost", "half", "starts", "answers"] as const;

export const faultsOf = (report: Report): number => kinds.reduce((sum, kind) => sum + report[kind].length, 0);

/** One line of figures, and a line for each of the first faults. */
export const describeReport = (report: Report): string[] => {
  const { lost, half, starts, answers, underWay } = report;
  const figures = [
    `${lost.length} lost, ${half.length} half, ${starts.length} starts failed, ${answers.length} wrong answers`,
    `${report.acknowledged} writes acknowledged`,
    `${underWay.done + underWay.undone} under way (${underWay.done} of them done)`,
    `${report.compared} records compared, ${report.searched} searches`,
  ];
  const faults = kinds.flatMap((kind) => report[kind].slice(0, 20).map((fault) => `  ${kind}: ${fault}`));
  return [figures.join("; "), ...faults];
};

const telling = [
  "name",
  "status",
  "error",
  "metadata",
  "partitionId",
  "title",
  "messages",
  "word",
  "originalText",
  "text",
];

/** The telling fields of a record, short enough for a line. */
export const shorten = (value: unknown): string => {
  const isRecord = typeof value === "object" && value !== null;
  const picked = isRecord
    ? Object.fromEntries(telling.flatMap((key) => (key in value ? [[key, value[key as never]]] : [])))
    : value;
  const text = JSON.stringify(picked) ?? "undefined";
  return text.length > 200 ? `${text.slice(0, 200)}… (${text.length})` : text;
};
