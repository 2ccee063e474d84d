import { afterAll, expect, test } from "bun:test";
import { startTestServer } from "../start-server.ts";
import { type AnswerBody, call } from "./client.ts";

const prices = (year: number, bun: string, order: string): string => `# Crumb & Co, price sheet

Valid from 1 February ${year}

| Item | Price (£) |
|---|---|
| Croissant | ${bun} |
| Rye loaf | 3.95 |

Minimum order ${order}.
`;

const tenancy = `# Tenancy agreement

The tenancy begins on 1 July 2025 and runs for 12 months.

The rent is £1,150 a month, payable on the first.

Signed on 14 June 2025
`;

const studio = `# FitHaus: Preise

Gültig ab 1. Januar 2026

Eine Tageskarte kostet 9,50 Euro.
`;

const server = await startTestServer();
const key = await server.issueKey();
for (const [name, text] of [
  ["Price sheet 2026.md", prices(2026, "1.15", "£35")],
  ["Price sheet 2024.md", prices(2024, "0.95", "£25")],
  ["Tenancy agreement.md", tenancy],
  ["Protocol 12.md", "# Protocol 12\n\nWritten by Noor Haddad. Add 5 µl. For cells use protocol 15."],
  ["FitHaus Preise.md", studio],
  [
    "paper-tides.md",
    "# Tides of estuaries\n\nAda Brook¹, Piet de Vries², and Lin Chen¹\n\n¹ Institute of Shores\n\nWe measured tides in the estuaries of three rivers for two years.",
  ],
  [
    "Gastos de viaje.md",
    "# Gastos de viaje\n\n**Autora:** Elena Rubio · **Versión 3**\n\nEl taxi se paga solo de noche.",
  ],
  [
    "Verbale 14 maggio.txt",
    "Verbale del 14 maggio\n\nPresenti: 11 su 16. Segretario: Luca Ferri.\n\nI lavori inizieranno a settembre.",
  ],
])
  await call(`${server.url}/api/ingest`, { key, body: { text, name } });
afterAll(() => server.stop());

test.each([
  ["price of a croissant", "1.15"],
  ["price of a croissant in 2024", "0.95"],
  ["minimum order at crumb and co", "£35"],
  ["when was the tenancy agreement signed", "Signed on 14 June 2025 [1]"],
  ["who wrote the tides paper", "Ada Brook¹, Piet de Vries², and Lin Chen¹ [1]"],
  ["who wrote protocol 12", "Written by Noor Haddad"],
  ["quién escribió los gastos de viaje", "Autora: Elena Rubio"],
  ["chi ha scritto il verbale", "Segretario: Luca Ferri [1]"],
  ["who wrote protocol 15", "The documents may not hold the answer"],
  ["what is the rent of flat 7", "The documents may not hold the answer"],
  ["what did i upload today?", "There are 8 documents"],
  ["welche dokumente habe ich heute hochgeladen?", "Es sind 8 Dokumente"],
  ["which files did I upload yesterday?", "yesterday: 0"],
  ["von wann ist die preisliste von fithaus", "Gültig ab 1. Januar 2026 [1]"],
])("%s", async (query, told) => {
  const { body } = await call<AnswerBody>(`${server.url}/api/query`, { key, body: { query } });
  expect(body.answer?.split("\n")[0]).toContain(told);
});
