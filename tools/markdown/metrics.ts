import type { MetricDescription } from "../../src/metrics/metrics.ts";

/** Everything after this line of docs/metrics.md is generated from the registry. */
const metricsMark = "<!-- From here on made by `bun tools/write-docs.ts`. -->";

/** docs/metrics.md with its generated part, a table of every metric. @param page the present content */
export const writeMetricsMarkdown = (page: string, metrics: readonly MetricDescription[]): string => {
  const [written = ""] = page.split(metricsMark);
  const rows = metrics
    .toSorted((a, b) => (a.name < b.name ? -1 : 1))
    .map(({ name, type, labels, help }) => {
      const shown = labels.map((label) => `\`${label}\``).join(", ");
      return `| \`${name}\` | ${type} | ${shown} | ${help.replaceAll("|", "\\|")} |`;
    });
  return `${written}${metricsMark}\n\n| metric | type | labels | what it tells |\n|---|---|---|---|\n${rows.join("\n")}\n`;
};
