import type { Config } from "../../config/schema.ts";
import type { FileParser } from "../../providers/contract.ts";
import { messageOf } from "../domain/errors.ts";
import { type CheckedModels, checkModel } from "../models/check/check-models.ts";
import { findTesseract } from "../parse/ocr/tesseract.ts";
import { createUnstructuredParser } from "../parse/unstructured/parser.ts";

/** The text on the sample's page. */
const sampleText = "This sample page was read";

/** A PDF of one page, to try parsers with: it takes the same path as any file. */
const samplePdf = (): Uint8Array => {
  const stream = `BT /F1 24 Tf 72 720 Td (${sampleText}.) Tj ET`;
  const objects = [
    "<</Type /Catalog /Pages 2 0 R>>",
    "<</Type /Pages /Kids [3 0 R] /Count 1>>",
    "<</Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents 4 0 R /Resources <</Font <</F1 5 0 R>>>>>>",
    `<</Length ${stream.length}>>\nstream\n${stream}\nendstream`,
    "<</Type /Font /Subtype /Type1 /BaseFont /Helvetica>>",
  ];
  let text = "%PDF-1.4\n";
  const offsets = objects.map((object, at) => {
    const offset = text.length;
    text += `${at + 1} 0 obj\n${object}\nendobj\n`;
    return offset;
  });
  const start = text.length;
  const rows = offsets.map((offset) => `${String(offset).padStart(10, "0")} 00000 n \n`).join("");
  text += `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${rows}`;
  text += `trailer\n<</Size ${objects.length + 1} /Root 1 0 R>>\nstartxref\n${start}\n%%EOF\n`;
  return new TextEncoder().encode(text);
};

export const partNames = ["answer", "embedding", "reranker", "parser", "parserServer"] as const;
type PartName = (typeof partNames)[number];

/** A model or parser as it is configured. */
export interface Part {
  part: PartName;
  provider: string;
  model: string | null;
}

/** What trying it showed. */
export interface Trial extends Part {
  status: "ok" | "warning" | "failed";
  /** What was found: each problem and warning with what to do about it. */
  details: string[];
  tookMs: number;
}

export interface TriedParts {
  models: CheckedModels;
  builtinParser: FileParser;
}

/** A model that is loaded from a disk at its first call takes its time. */
const maxTrialMs = 30_000;

/** Models and parsers that are in use. */
export const configuredParts = ({ models, parser }: Pick<Config, "models" | "parser">): Part[] => [
  { part: "answer", provider: models.answer.provider, model: models.answer.model },
  { part: "embedding", provider: models.embedding.provider, model: models.embedding.model },
  ...(models.reranker.provider === "none"
    ? []
    : [{ part: "reranker" as const, provider: models.reranker.provider, model: models.reranker.model }]),
  { part: "parser", provider: "builtin", model: null },
  ...(parser.baseUrl === null ? [] : [{ part: "parserServer" as const, provider: "unstructured", model: null }]),
];

/**
 * Tries a model or parser with a few words, apart from those that answer requests. Takes half a minute at most.
 * @returns null where no such part is configured
 */
export const tryPart = async (
  name: PartName,
  config: Pick<Config, "models" | "parser">,
  tried: TriedParts,
  signal: AbortSignal,
): Promise<Trial | null> => {
  const part = configuredParts(config).find((each) => each.part === name);
  if (part === undefined) return null;
  const limit = AbortSignal.timeout(maxTrialMs);
  const start = performance.now();
  const { problems, facts, warnings, model } = await findings(name, config, tried, AbortSignal.any([signal, limit]));
  signal.throwIfAborted();
  const late = limit.aborted ? [`No answer within ${maxTrialMs / 1_000} seconds.`] : [];
  return {
    ...part,
    model: model ?? part.model,
    status: problems.length > 0 ? "failed" : warnings.length > 0 ? "warning" : "ok",
    details: [...(late.length > 0 && problems.length > 0 ? late : problems), ...warnings, ...facts],
    tookMs: Math.round(performance.now() - start),
  };
};

interface Findings {
  problems: string[];
  warnings: string[];
  facts: string[];
  model: string | null;
}

const findings = async (
  name: PartName,
  { parser }: Pick<Config, "parser">,
  { models, builtinParser }: TriedParts,
  signal: AbortSignal,
): Promise<Findings> => {
  if (name === "parser") return readSample(builtinParser, signal, ocrState(parser));
  if (name === "parserServer")
    return parser.baseUrl === null
      ? { ...none, model: null }
      : readSample(createUnstructuredParser(parser, parser.baseUrl, 1), signal, none);
  const report = await checkModel(name, models, signal);
  if (report === null) return { ...none, model: null };
  const { problems, warnings, contextTokens, dimensions, model } = report;
  const facts = [
    ...(name === "answer" && models.config.models.answer.provider === "builtin"
      ? ["Quotes the sentences that answer the question; no model writes."]
      : []),
    ...(contextTokens === null ? [] : [`Context: ${contextTokens} tokens.`]),
    ...(dimensions === null ? [] : [`Vectors: ${dimensions} numbers.`]),
  ];
  return { problems, warnings, facts, model: name === "answer" ? null : model };
};

const none = { problems: [], warnings: [], facts: [] };

const ocrState = ({ ocrLanguages }: Config["parser"]): Pick<Findings, "warnings" | "facts"> =>
  findTesseract() === null
    ? { warnings: ["tesseract is not installed: pictures and scanned pages are not read."], facts: [] }
    : { warnings: [], facts: [`tesseract reads pictures, in these languages: ${ocrLanguages.join(", ")}.`] };

const readSample = async (
  parser: FileParser,
  signal: AbortSignal,
  { warnings, facts }: Pick<Findings, "warnings" | "facts">,
): Promise<Findings> => {
  const file = { bytes: samplePdf(), name: "sample.pdf", mimeType: "application/pdf" };
  try {
    const { text } = await parser.parse(file, signal);
    const problems = text.includes(sampleText) ? [] : ["A sample PDF was read, but its text did not come out."];
    return { problems, warnings, facts: ["A sample PDF was read.", ...facts], model: null };
  } catch (error) {
    return { problems: [messageOf(error)], warnings, facts, model: null };
  }
};
