import { expect, test } from "bun:test";
import { casesFolder, faultsOf, readCase, readCases } from "./cases.ts";

/** Cases that are not read as they should be yet. */
const failing: readonly string[] = [
  "07-superscripts-glued-to-numbers/r3-docx-sup",
  "07-superscripts-glued-to-numbers/r3-html-sup",
  "08-formulas-flattened/docx-omml",
  "08-formulas-flattened/html-math",
  "09-xlsx-values-not-as-shown/r3-xlsx-codes",
  "09-xlsx-values-not-as-shown/r3-xlsx-units",
  "09-xlsx-values-not-as-shown/xlsx-dates-formats",
  "10-xlsx-formulas-without-values/r3-xlsx-formula-chain",
  "10-xlsx-formulas-without-values/xlsx-formula-nocache",
  "11-comments-and-text-boxes-lost/docx-alttext",
  "11-comments-and-text-boxes-lost/docx-comments",
  "11-comments-and-text-boxes-lost/r3-xlsx-textbox",
  "11-comments-and-text-boxes-lost/xlsx-comments-textbox-link",
  "12-things-inside-things-lost/docx-altchunk",
  "12-things-inside-things-lost/docx-smartart-chart",
  "13-kinds-read-as-raw-source/asciidoc",
  "13-kinds-read-as-raw-source/enex",
  "13-kinds-read-as-raw-source/ics",
  "13-kinds-read-as-raw-source/ipynb",
  "13-kinds-read-as-raw-source/latex",
  "13-kinds-read-as-raw-source/mbox",
  "13-kinds-read-as-raw-source/org",
  "13-kinds-read-as-raw-source/pages",
  "13-kinds-read-as-raw-source/rss",
  "13-kinds-read-as-raw-source/rst-table",
  "13-kinds-read-as-raw-source/srt",
  "13-kinds-read-as-raw-source/vcf",
  "13-kinds-read-as-raw-source/vtt",
  "13-kinds-read-as-raw-source/word-xml2003-flat",
  "13-kinds-read-as-raw-source/xls-xml2003",
  "14-html-content-lost-or-table-undone/html-list-in-table",
  "14-html-content-lost-or-table-undone/html-main-missed",
  "16-sheet-layout/r4-xlsx-corner1",
  "16-sheet-layout/xlsx-merged",
  "16-sheet-layout/xlsx-multi-tables",
];

test("every case of a file that was read wrongly is read as expected, but for those known to fail", async () => {
  const cases = await readCases(casesFolder);
  const failed: string[] = [];
  const details: string[] = [];
  for (const one of cases) {
    const faults = faultsOf(await readCase(one), one.expected);
    if (faults.length === 0) continue;
    failed.push(one.name);
    if (!failing.includes(one.name)) details.push(`${one.name}: ${faults.join("; ")}`);
  }
  expect(cases.length).toBeGreaterThan(80);
  expect(details).toEqual([]);
  expect(failed).toEqual([...failing]);
});
