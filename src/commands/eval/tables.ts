import { type Estimate, estimate } from "../../evaluation/estimates.ts";
import { type ComparedMetric, type Metric, maxFalseRefusals, metricsOf, refusalOf } from "../../evaluation/figures.ts";
import type { EvaluationRun, SetResult } from "../../evaluation/run-file.ts";
import { table } from "../output/output.ts";

const hundredths = (value: number): string => (value * 100).toFixed(1);

/** `74.0 [70.1, 77.8]`: a figure × 100 with its 95 % interval. */
const withInterval = ({ mean, low, high }: Estimate): string =>
  `${hundredths(mean)} [${hundredths(low)}, ${hundredths(high)}]`;

const cell = (metrics: readonly Metric[], key: string): string => {
  const found = metrics.find((metric) => metric.key === key);
  return found === undefined ? "-" : withInterval(estimate(found.values));
};

/** The figures of a run: ranking, refusals and, if answers are known, quotations. */
export const setTables = (run: EvaluationRun): string => {
  const { sets, threshold, embedding } = run;
  const metrics = new Map(sets.map((set) => [set, metricsOf(set, threshold)]));
  const cells = (set: SetResult, keys: readonly string[]) => keys.map((key) => cell(metrics.get(set) ?? [], key));
  const parts = [
    `Embeddings: ${embedding.model} of ${embedding.provider}. Figures × 100 with 95 % intervals (bootstrap over questions, fixed seed).\n`,
    table(
      ["SET", "DOCUMENTS", "QUESTIONS", "nDCG@10", "RECALL@5", "RECALL@10", "RECALL@20"],
      sets.map((set) => [
        set.name,
        String(set.documents),
        String(set.questions.length),
        ...cells(set, ["ndcg10", "recall5", "recall10", "recall20"]),
      ]),
    ),
    `Refusal: questions without an answer (absent.jsonl) and of other sets, rightly; own ones, wrongly. At answers.refusalThreshold (${threshold}), and at the set's best.\n`,
    table(
      [
        "SET",
        "ABSENT REFUSED",
        "OTHERS REFUSED",
        "FALSE REFUSALS",
        `OTHERS REFUSED AT ≤ ${maxFalseRefusals * 100} % FALSE`,
        "THRESHOLD",
      ],
      sets.map((set) => {
        const best = refusalOf(set);
        const ofBest = best === null ? ["-", "-"] : [withInterval(best), best.threshold.toFixed(2)];
        return [set.name, ...cells(set, ["absent", "refused", "falseRefusals"]), ...ofBest];
      }),
    ),
  ];
  const quoted = sets.filter(({ sentences }) => sentences !== null && !sentences.byModel);
  if (quoted.length > 0) {
    parts.push(
      "Quoted answers that hold a known answer, beside what sharing rare words alone would quote.\n",
      table(
        ["SET", "QUESTIONS", "FIRST QUOTATION", "AMONG THREE", "WORDS ALONE: FIRST", "AMONG THREE"],
        quoted.map((set) => [
          set.name,
          String(set.sentences?.questions.length ?? 0),
          ...cells(set, ["first", "amongThree", "overlapFirst", "overlapAmongThree"]),
        ]),
      ),
    );
  }
  const written = sets.filter(({ sentences }) => sentences?.byModel === true);
  if (written.length > 0) {
    parts.push(
      "Answers of the model that hold a known answer word for word.\n",
      table(
        ["SET", "QUESTIONS", "HOLDS IT"],
        written.map((set) => [set.name, String(set.sentences?.questions.length ?? 0), ...cells(set, ["answer"])]),
      ),
    );
  }
  return parts
    .map((part, index) => (index > 0 && index % 2 === 1 ? `${part}\n` : part))
    .join("")
    .trimEnd()
    .concat("\n");
};

/** Each figure in both runs, the difference with its interval, and the probability of it by chance. */
export const comparisonTable = (
  earlier: EvaluationRun,
  { compared, notCompared }: { compared: readonly ComparedMetric[]; notCompared: readonly string[] },
): string => {
  const head = `Compared with ${earlier.embedding.model} of ${earlier.embedding.provider}, Carrel ${earlier.version}, ${earlier.at}: paired bootstrap over questions (1,000 samples), paired randomization test (10,000), fixed seed.\n`;
  const rows = table(
    ["SET", "FIGURE", "QUESTIONS", "THEN", "NOW", "DIFFERENCE", "P", "BETTER", "WORSE"],
    compared.map((each) => [
      each.set,
      each.label,
      String(each.questions),
      hundredths(each.earlier),
      hundredths(each.now),
      withInterval(each),
      each.p.toFixed(4),
      String(each.better),
      String(each.worse),
    ]),
  );
  const rest =
    notCompared.length === 0 ? "" : `Not compared, as the questions are not the same: ${notCompared.join(", ")}.\n`;
  return `${head}${rows}${rest}`;
};
