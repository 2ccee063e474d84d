import type { LongDocument, LongQuestion } from "./contract.ts";
import { layOut, type Section } from "./page-layout.ts";
import { topicsOf } from "./report-topics.ts";
import { amount, type Chooser, createChooser, paragraph } from "./words.ts";

interface Company {
  name: string;
  form: string;
  segments: readonly string[];
  currency: string;
  file(year: number): string;
  info?: (year: number) => string;
}

const two = (year: number): string => String(year).slice(2);

/** Named as in life: years and names together, apart, shortened, or not at all. */
const companies: readonly Company[] = [
  {
    name: "Norwell",
    form: "Group plc",
    segments: ["Water", "Industrial Pumps", "Services"],
    currency: "GBP",
    file: (y) => `norwell_ar_${y}_final.pdf`,
  },
  {
    name: "Halden",
    form: "ASA",
    segments: ["Northern", "Continental", "Offshore"],
    currency: "NOK",
    file: (y) => `Halden Annual Report ${y}.pdf`,
  },
  {
    name: "Brightwater",
    form: "Holdings Ltd",
    segments: ["Retail", "Wholesale", "Online"],
    currency: "GBP",
    file: (y) => `AR${two(y)}_brightwater.pdf`,
  },
  {
    name: "Blue Harbor",
    form: "Inc.",
    segments: ["Terminals", "Shipping", "Logistics"],
    currency: "USD",
    file: (y) => `BLUEHARBOR_${y}_10K.pdf`,
  },
  {
    name: "Kestrel",
    form: "Corporation",
    segments: ["Avionics", "Defense Systems", "Maintenance"],
    currency: "USD",
    file: (y) => `KESTREL_${y}_10K.pdf`,
  },
  {
    name: "Orrin & Vale",
    form: "SE",
    segments: ["Specialty Chemicals", "Coatings", "Agriculture"],
    currency: "EUR",
    file: (y) => `orrin-vale-annual-report-fy${two(y)}.pdf`,
  },
  {
    name: "Marlowe Foods",
    form: "plc",
    segments: ["Bakery", "Dairy", "Frozen"],
    currency: "GBP",
    file: (y) => `${y}-annual-report-web (${y % 3}).pdf`,
    info: (y) => `Marlowe Foods Annual Report ${y}`,
  },
  {
    name: "Tessel",
    form: "NV",
    segments: ["Semiconductors", "Sensors", "Licensing"],
    currency: "EUR",
    file: (y) => `scan_${(y * 37) % 1000}.pdf`,
  },
  {
    name: "Pemberton",
    form: "Bancorp",
    segments: ["Retail Banking", "Corporate Banking", "Wealth Management"],
    currency: "USD",
    file: (y) => `Pemberton Bancorp ${y} Annual Report to Shareholders.pdf`,
  },
  {
    name: "Aurelia",
    form: "Mining Corp.",
    segments: ["Gold", "Copper", "Exploration"],
    currency: "CAD",
    file: (y) => `aurelia_mining_annual_${y}_en_v2.pdf`,
  },
  {
    name: "Solvang Energi",
    form: "AS",
    segments: ["Hydro", "Wind", "Grid"],
    currency: "NOK",
    file: (y) => `SolvangEnergi_AnnualReport_${y}.pdf`,
  },
  {
    name: "Castellan",
    form: "Insurance Group",
    segments: ["Life", "Property and Casualty", "Reinsurance"],
    currency: "EUR",
    file: (y) => `Castellan_FY${y}_report_signed.pdf`,
  },
];

const years = [2014, 2015, 2016, 2017, 2018, 2019, 2020, 2021] as const;

/** Questions asked about each report. */
const questionsOfReport = 4;

export const annualReports = (): { documents: LongDocument[]; questions: LongQuestion[] } => {
  const documents: LongDocument[] = [];
  const questions: LongQuestion[] = [];
  for (const company of companies) {
    for (const year of years) {
      const report = annualReport(company, year);
      documents.push(report.document);
      questions.push(...report.questions);
    }
  }
  return { documents, questions };
};

const annualReport = (company: Company, year: number): { document: LongDocument; questions: LongQuestion[] } => {
  const choose = createChooser(`${company.name} ${year}`);
  const full = `${company.name} ${company.form}`;
  const topics = topicsOf(choose, { segments: company.segments, currency: company.currency, year });
  const sections: Section[] = [letter(choose, topics, full, year)];
  // Every chapter also speaks of the topics of others.
  const about = (own: readonly string[]) => [...own, ...choose.some(topics, 3).flatMap(({ words }) => words)];
  for (const topic of topics) {
    const paragraphs: (string | string[][])[] = [];
    const before = choose.between(1, 3);
    for (let count = 0; count < before; count++) paragraphs.push(filler(choose, about(topic.words), full, year));
    paragraphs.push(topic.passage);
    if (topic.table !== undefined) paragraphs.push(topic.table);
    const after = choose.between(2, 7);
    for (let count = 0; count < after; count++) paragraphs.push(filler(choose, about(topic.words), full, year));
    sections.push({ heading: topic.heading, paragraphs });
  }
  const cover = choose.of([
    [full, `Annual Report ${year}`],
    [`Annual Report ${year}`, full],
    [full, `Annual report and accounts for the year ended 31 December ${year}`],
  ]);
  const laid = layOut(
    cover,
    `${full}  |  Annual Report ${year}`,
    sections,
    company.info?.(year) ?? "",
    choose.of([10, 10, 16]),
  );
  const file = company.file(year);
  const asked = choose.some(topics, questionsOfReport).map((topic, index): LongQuestion => {
    const when = choose.of([
      `in ${year}`,
      `in ${year}`,
      `for FY${year}`,
      `in fiscal ${year}`,
      `in FY${two(year)}`,
      `in the ${year} annual report`,
    ]);
    const who = company.name;
    const pages = [
      ...laid.pagesOf(topic.passage),
      ...(topic.table === undefined ? [] : laid.pagesOf(JSON.stringify(topic.table))),
    ];
    return {
      id: `${file}-${index}`,
      kind: "reports",
      text: choose.of(topic.questions)(who, when),
      file,
      pages: [...new Set(pages)],
    };
  });
  return { document: { file, pdf: laid.pdf, pages: laid.pages }, questions: asked };
};

const filler = (choose: Chooser, topic: readonly string[], company: string, year: number): string => {
  const said: string[] = [];
  if (choose.chance(0.3))
    said.push(
      choose.of([
        `This compares with ${year - 1}.`,
        `In ${year} this remained unchanged from ${year - 1}.`,
        `Further measures are planned for ${year + 1}.`,
        `The figures for ${year - 1} have been restated.`,
      ]),
    );
  if (choose.chance(0.07)) said.push(`${company} has applied this consistently.`);
  if (choose.chance(0.2))
    said.push(
      `The amount was ${amount(choose.between(10, 9000))} million (${year - 1}: ${amount(choose.between(10, 9000))} million).`,
    );
  return paragraph(choose, topic, said, choose.between(3, 7));
};

const letter = (choose: Chooser, topics: ReturnType<typeof topicsOf>, company: string, year: number): Section => ({
  heading: "Letter to shareholders",
  paragraphs: [
    "Dear shareholders,",
    ...Array.from({ length: 9 }, () =>
      paragraph(
        choose,
        choose.of(topics).words,
        [`Looking back on ${choose.of([year, year, year - 1])}, ${choose.of(topics).words[0]} mattered to us.`],
        choose.between(3, 6),
      ),
    ),
    `On behalf of the Board of ${company}`,
  ],
});
