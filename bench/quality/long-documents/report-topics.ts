import { amount, type Chooser } from "./words.ts";

export interface Topic {
  heading: string;
  words: readonly string[];
  /** The paragraph that answers. */
  passage: string;
  table?: string[][];
  questions: readonly ((who: string, when: string) => string)[];
}

interface Facts {
  segments: readonly string[];
  currency: string;
  year: number;
}

type Ask = Topic["questions"][number];

/** What each report has to say: the same for all companies and years, with other figures. */
export const topicsOf = (choose: Chooser, { segments, currency, year }: Facts): Topic[] => {
  const million = (low: number, high: number): string => `${currency} ${amount(choose.between(low, high))} million`;
  const percent = (low: number, high: number): string =>
    `${choose.between(low, high)}.${choose.between(0, 9)} per cent`;
  const topic = (heading: string, words: string[], passage: string, questions: Ask[]): Topic => ({
    heading,
    words,
    passage,
    questions,
  });
  const rows = (labels: readonly string[]): string[][] => [
    [`${currency} million`, String(year), String(year - 1), String(year - 2)],
    ...labels.map((label) => [label, ...[0, 1, 2].map(() => amount(choose.between(20, 9000)))]),
  ];
  const segmentTopics = segments.map(
    (segment): Topic => ({
      heading: `${segment}: performance`,
      words: [`the ${segment} segment`, "volumes", "pricing", "segment margins", "orders"],
      passage: `Revenue of the ${segment} segment was ${million(300, 9000)}, against ${million(300, 9000)} a year earlier, and its operating margin was ${percent(3, 24)}. ${choose.of(["Higher volumes", "Better prices", "Lower demand", "A weaker mix"])} explain most of the change.`,
      table: rows(["Revenue", "Operating profit", "Assets", "Capital employed"]),
      questions: [
        (who, when) => `revenue of ${who}'s ${segment.toLowerCase()} segment ${when}`,
        (who, when) => `How did the ${segment} business of ${who} do ${when}?`,
        (who, when) => `What was the operating margin of ${who} ${segment} ${when}?`,
      ],
    }),
  );
  return [
    topic(
      "Our strategy",
      ["strategic priorities", "growth", "the strategic plan"],
      `The plan rests on ${choose.between(3, 6)} priorities: ${choose.some(["simpler products", "digital sales", "fewer sites", "new markets", "shorter lead times", "a lower cost base"], 3).join(", ")}. We aim for a return on capital of ${percent(9, 18)} by ${year + 4}.`,
      [(w, t) => `What were ${w}'s strategic priorities ${t}?`, (w, t) => `return on capital target of ${w} set ${t}`],
    ),
    ...segmentTopics,
    topic(
      "Currency risk",
      ["exchange rates", "hedging", "foreign currency exposure"],
      `A ${choose.between(5, 12)} per cent change of the ${choose.of(["US dollar", "euro", "Swiss franc", "yen"])} would have changed profit before tax by ${million(4, 90)}. ${choose.between(40, 90)} per cent of expected currency flows of the next twelve months are hedged with forward contracts.`,
      [
        (w, t) => `What did ${w} say about currency risk ${t}?`,
        (w, t) => `How much of its foreign exchange exposure did ${w} hedge ${t}?`,
      ],
    ),
    topic(
      "Interest rate and liquidity risk",
      ["interest rates", "liquidity", "credit facilities"],
      `Undrawn committed facilities were ${million(200, 2500)}. If interest rates had been one percentage point higher, interest cost would have risen by ${million(2, 40)}.`,
      [
        (w, t) => `How large were the undrawn credit facilities of ${w} ${t}?`,
        (w, t) => `${w} interest rate sensitivity ${t}`,
      ],
    ),
    topic(
      "Cyber security risk",
      ["information security", "data protection", "cyber threats"],
      `${choose.of(["Two", "Three", "No", "Five"])} material security incidents were recorded. Multi-factor sign-in now covers ${choose.between(70, 99)} per cent of accounts, and ${choose.between(60, 99)} per cent of staff finished the phishing training.`,
      [
        (w, t) => `Were there any cyber incidents at ${w} ${t}?`,
        (w, t) => `What does ${w} report on information security ${t}?`,
      ],
    ),
    topic(
      "Supply chain risk",
      ["suppliers", "raw materials", "supply interruptions"],
      `The ${choose.between(5, 20)} largest suppliers account for ${percent(20, 60)} of purchases. A second source was qualified for ${choose.between(20, 200)} critical parts.`,
      [(w, t) => `How dependent is ${w} on its largest suppliers ${t}?`, (w, t) => `${w} supply chain risk ${t}`],
    ),
    topic(
      "Climate targets",
      ["emissions", "climate", "energy use"],
      `Greenhouse gas emissions of scope 1 and 2 were ${amount(choose.between(20, 900))} thousand tonnes, ${percent(2, 14)} less than the year before. The target is a reduction by ${choose.between(30, 60)} per cent until 2030.`,
      [(w, t) => `What were ${w}'s greenhouse gas emissions ${t}?`, (w, t) => `climate target of ${w} ${t}`],
    ),
    topic(
      "Our people",
      ["employees", "training", "diversity"],
      `At year end we had ${amount(choose.between(900, 48000))} employees, of whom ${percent(25, 55)} were women. Voluntary turnover was ${percent(4, 15)}.`,
      [(w, t) => `How many people did ${w} employ ${t}?`, (w, t) => `employee turnover at ${w} ${t}`],
    ),
    topic(
      "Health and safety",
      ["safety", "accidents", "working conditions"],
      `The lost-time injury rate was ${choose.between(0, 5)}.${choose.between(10, 99)} per million hours worked; ${choose.of(["there was one fatal accident", "there were no fatal accidents"])}.`,
      [(w, t) => `What was the lost-time injury rate of ${w} ${t}?`, (w, t) => `fatal accidents ${w} ${t}`],
    ),
    topic(
      "Corporate governance",
      ["the Board of Directors", "committees", "governance"],
      `The Board met ${choose.between(7, 16)} times; attendance was ${choose.between(88, 100)} per cent. ${choose.between(4, 9)} of its ${choose.between(9, 12)} members are independent.`,
      [
        (w, t) => `How often did the board of ${w} meet ${t}?`,
        (w, t) => `number of independent directors at ${w} ${t}`,
      ],
    ),
    topic(
      "Remuneration of the executives",
      ["remuneration", "bonus", "share awards"],
      `The chief executive received a total of ${currency} ${amount(choose.between(900, 8900))} thousand, of which ${currency} ${amount(choose.between(200, 3000))} thousand was annual bonus.`,
      [(w, t) => `How much was the CEO of ${w} paid ${t}?`, (w, t) => `bonus of the chief executive, ${w}, ${t}`],
    ),
    topic(
      "Dividend and share buyback",
      ["dividends", "shareholder returns", "share repurchases"],
      `The Board proposes a dividend of ${currency} ${choose.between(0, 9)}.${choose.between(10, 99)} per share. Own shares were bought back for ${million(20, 900)}.`,
      [(w, t) => `What dividend per share did ${w} propose ${t}?`, (w, t) => `${w} share buyback ${t}`],
    ),
    topic(
      "Report of the independent auditor",
      ["the audit", "key audit matters", "materiality"],
      `We set overall materiality at ${million(3, 80)}. The key audit matters were ${choose.some(["revenue recognition", "goodwill", "provisions", "inventories", "deferred tax", "hedge accounting"], 2).join(" and ")}.`,
      [(w, t) => `What were the key audit matters of ${w} ${t}?`, (w, t) => `audit materiality ${w} ${t}`],
    ),
    {
      ...topic(
        "Consolidated income statement",
        ["revenue", "operating profit", "finance cost"],
        `Figures in ${currency} million unless stated otherwise; profit attributable to shareholders was ${million(20, 900)}.`,
        [(w, t) => `total revenue and operating profit of ${w} ${t}`, (w, t) => `What was ${w}'s net profit ${t}?`],
      ),
      table: rows([
        "Revenue",
        "Cost of sales",
        "Gross profit",
        "Selling expenses",
        "Administrative expenses",
        "Operating profit",
        "Finance cost",
        "Profit before tax",
        "Income tax",
        "Profit for the year",
      ]),
    },
    {
      ...topic(
        "Consolidated balance sheet",
        ["assets", "liabilities", "equity"],
        `The equity ratio was ${percent(25, 60)} at the balance sheet date.`,
        [(w, t) => `What were the total assets of ${w} ${t}?`, (w, t) => `equity ratio ${w} ${t}`],
      ),
      table: rows([
        "Intangible assets",
        "Property, plant and equipment",
        "Inventories",
        "Trade receivables",
        "Cash and cash equivalents",
        "Total assets",
        "Equity",
        "Borrowings",
        "Trade payables",
        "Total equity and liabilities",
      ]),
    },
    {
      ...topic(
        "Consolidated cash flow statement",
        ["cash flow", "operating activities", "investing activities"],
        `Free cash flow was ${million(20, 1900)}.`,
        [
          (w, t) => `free cash flow of ${w} ${t}`,
          (w, t) => `What was ${w}'s cash flow from operating activities ${t}?`,
        ],
      ),
      table: rows([
        "Cash flow from operating activities",
        "Capital expenditure",
        "Acquisitions",
        "Cash flow from financing",
        "Change in cash",
      ]),
    },
    topic(
      "Note 3. Revenue recognition",
      ["performance obligations", "contract assets", "revenue"],
      `Contract liabilities of ${million(20, 600)} at the start of the year were recognised as revenue; the remaining performance obligations amount to ${million(100, 4000)}.`,
      [(w, t) => `remaining performance obligations of ${w} ${t}`],
    ),
    topic(
      "Note 8. Income tax",
      ["taxes", "deferred tax", "tax audits"],
      `The effective tax rate was ${percent(14, 31)}. Unrecognised tax losses carried forward were ${million(10, 700)}.`,
      [(w, t) => `What was the effective tax rate of ${w} ${t}?`, (w, t) => `tax losses carried forward, ${w}, ${t}`],
    ),
    topic(
      "Note 11. Goodwill and impairment",
      ["goodwill", "cash-generating units", "impairment tests"],
      `Goodwill was ${million(100, 5000)}; an impairment of ${million(5, 300)} was recognised. The discount rate used was ${percent(6, 12)}.`,
      [(w, t) => `Did ${w} impair goodwill ${t}?`, (w, t) => `discount rate in the impairment test of ${w} ${t}`],
    ),
    topic(
      "Note 12. Property, plant and equipment",
      ["plants", "depreciation", "capital expenditure"],
      `Capital expenditure was ${million(40, 1900)}, mainly for ${choose.of(["a new plant", "the data centre", "replacement of machines", "the headquarters", "storage"])}. Depreciation came to ${million(40, 900)}.`,
      [(w, t) => `How much did ${w} spend on capital expenditure ${t}?`, (w, t) => `depreciation ${w} ${t}`],
    ),
    topic(
      "Note 15. Inventories",
      ["inventories", "write-downs", "stock levels"],
      `Inventories were written down by ${million(2, 90)}; days of stock fell to ${choose.between(30, 120)}.`,
      [(w, t) => `inventory write-downs at ${w} ${t}`],
    ),
    topic(
      "Note 18. Pension obligations",
      ["pensions", "actuarial assumptions", "defined benefit plans"],
      `The present value of the defined benefit obligations was ${million(90, 3000)}, plan assets ${million(80, 2500)}. Pension increases of ${percent(1, 3)} are assumed.`,
      [(w, t) => `What were ${w}'s pension obligations ${t}?`, (w, t) => `plan assets of the ${w} pension scheme ${t}`],
    ),
    topic(
      "Note 21. Borrowings and net debt",
      ["borrowings", "bonds", "covenants"],
      `Net debt was ${million(100, 6000)}, or ${choose.between(0, 3)}.${choose.between(1, 9)} times EBITDA. A bond of ${million(100, 900)} falls due in ${year + choose.between(2, 6)}.`,
      [
        (w, t) => `What was the net debt of ${w} ${t}?`,
        (w, t) => `When does ${w}'s bond mature, according to the report ${t}?`,
      ],
    ),
    topic(
      "Note 24. Leases",
      ["lease contracts", "right-of-use assets", "rent"],
      `Lease liabilities were ${million(20, 900)}; the weighted average rate was ${percent(1, 6)}.`,
      [(w, t) => `lease liabilities of ${w} ${t}`],
    ),
    topic(
      "Note 27. Provisions and legal proceedings",
      ["litigation", "claims", "provisions"],
      `A claim of ${million(5, 400)} by ${choose.of(["a former supplier", "the tax authorities", "a competitor", "a group of customers"])} is pending; provisions for legal cases were ${million(2, 90)}.`,
      [(w, t) => `Which lawsuits was ${w} facing ${t}?`, (w, t) => `provisions for legal claims ${w} ${t}`],
    ),
    topic(
      "Note 30. Acquisitions",
      ["acquisitions", "purchase price", "integration"],
      `${choose.between(1, 4)} businesses were acquired for a total of ${million(20, 2500)}; acquisition costs of ${million(1, 30)} were expensed.`,
      [(w, t) => `What did ${w} pay for acquisitions ${t}?`],
    ),
    topic(
      "Events after the balance sheet date",
      ["subsequent events", "the outlook"],
      `In ${choose.of(["January", "February", "March"])} ${year + 1} ${choose.of(["a plant was closed for repair", "a credit line was renewed", "the sale of a subsidiary was agreed", "a strike stopped deliveries for two weeks"])}, with an effect of about ${million(1, 60)}.`,
      [(w, t) => `What happened at ${w} after the balance sheet date ${t}?`],
    ),
  ];
};
