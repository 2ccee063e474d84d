import type { Tenant } from "../../domain/records.ts";
import { type LengthUnit, textLength } from "../../text/bm25.ts";
import { allOf } from "../engine/filters.ts";
import { crc32 } from "../engine/table-definition.ts";
import type { RevisionSnapshot } from "../segments/revisions.ts";
import type { Means, SegmentMeans, TenantCounts } from "./kept-counts.ts";
import type { LiveIndex, SnippetSegment } from "./live-indexes.ts";
import { everyLength, everySnippet } from "./tally-terms.ts";

/** More rows are read than wanted, for chance may pick fewer: by four standard deviations, and some. */
const spareOf = (wanted: number): number => 4 * Math.sqrt(wanted) + 8;
/** Of so many rows all are read: some 10 ms. */
const maxRead = 1_000;

/** Spreads the rows evenly over as many numbers: the end of a revision is random, and positions differ within it. */
const numbers = 1_000_003;
const factors = [15_485_863, 32_452_843, 49_979_687, 67_867_967];
const number = [
  "position * 7919",
  ...factors.map((factor, at) => `ascii(right(revision, ${at + 1})) * ${factor}`),
].join(" + ");

/**
 * Condition that each snippet meets by chance, so that about `wanted` of `total` do; null: all are read. A snippet meets
 * it today and after a restart alike: what is measured of a sample, and with it the order of a question's snippets, stays.
 * It costs nothing for the rows that it leaves out: a search for random places would read its way to each.
 */
export const byChance = (wanted: number, total: number): string | null => {
  const share = (wanted + spareOf(wanted)) / Math.max(1, total);
  return share >= 1 || total <= maxRead ? null : `(${number}) % ${numbers} < ${Math.ceil(share * numbers)}`;
};

/**
 * Some of these, at most `limit`, as if at random: the same of the same texts, so that every store of these documents judges
 * a question alike.
 */
export const pickByText = <T extends { readonly text: string }>(from: readonly T[], limit: number): T[] =>
  from
    .map((one) => ({ one, place: crc32(one.text) }))
    .sort((a, b) => a.place - b.place || (a.one.text < b.one.text ? -1 : 1))
    .slice(0, limit)
    .map(({ one }) => one);

/** What the mean is taken of where not all snippets are counted: chance moves it by some 2 %, and BM25 by less. */
const sampledSnippets = 1_000;
/** A sample is used until so many snippets were added or removed, as a part of those that there are; all of few, until any. */
const maxChanged = 0.1;

/** Runs a query over the snippets of a tenant that are visible now: those of a snapshot, by a condition for the table. */
export type OverVisible = <R>(
  tenant: Tenant,
  query: (where: string, snapshot: RevisionSnapshot) => Promise<R>,
) => Promise<R>;

/**
 * How long a tenant's snippets are in the mean: from the counts where all are counted, else from a sample that is kept with
 * them. Read for each question, a sample would cost more than the search.
 * @param snippets of the tenant
 */
export const meanLengths = async (
  { segments }: LiveIndex,
  tenant: Tenant,
  snippets: number,
  entry: TenantCounts,
  overVisible: OverVisible,
): Promise<Means> => {
  const { isComplete, counts, sampled, changedSnippets } = entry;
  if (isComplete) {
    const all = Math.max(1, counts.get(everySnippet) ?? 0);
    const meanOf = (unit: LengthUnit): number => (counts.get(everyLength[unit]) ?? 0) / all;
    return { lengths: { characters: meanOf("characters"), terms: meanOf("terms") }, ofSegments: null };
  }
  const mayChange = snippets <= sampledSnippets ? 0 : maxChanged * snippets;
  if (sampled !== null && changedSnippets - sampled.changedSnippets <= mayChange) return sampled.means;
  const all = segments.all();
  // The sampled snippets are the same ones in however many segments they are.
  const chance = byChance(sampledSnippets, snippets);
  const samples = await overVisible(tenant, (where) =>
    Promise.all(
      all.map(async (segment) => ({
        segment,
        snippets: all.length === 1 ? snippets : await segment.table.count(where),
        ...(await sumLengths(segment, allOf(where, chance))),
      })),
    ),
  );
  const read = Math.max(1, sumOf(samples, "read"));
  const means = {
    lengths: { characters: sumOf(samples, "characters") / read, terms: sumOf(samples, "terms") / read },
    ofSegments: new Map(samples.map((one) => [one.segment, meansOf(one)])),
  };
  entry.sampled = { means, changedSnippets };
  return means;
};

interface Lengths extends Record<LengthUnit | "ofText" | "ofTitle", number> {
  /** Snippets whose lengths are added up. */
  read: number;
}

const sumLengths = async ({ table }: SnippetSegment, where: string): Promise<Lengths> => {
  const sums: Lengths = { read: 0, characters: 0, terms: 0, ofText: 0, ofTitle: 0 };
  await table.scan(["terms", "headingTerms", "titleTerms"], { where }, (row): void => {
    const fields = { terms: row.string("terms"), headingTerms: row.string("headingTerms") };
    sums.read += 1;
    sums.characters += textLength.characters(fields);
    sums.terms += textLength.terms(fields);
    sums.ofText += textLength.terms({ ...fields, headingTerms: "" });
    sums.ofTitle += textLength.terms({ terms: row.string("titleTerms"), headingTerms: "" });
  });
  return sums;
};

const sumOf = (samples: readonly Lengths[], what: keyof Lengths): number =>
  samples.reduce((sum, one) => sum + one[what], 0);

const meansOf = ({ snippets, ofText, ofTitle, read }: Lengths & { snippets: number }): SegmentMeans => {
  const count = Math.max(1, read);
  return { snippets, columns: { terms: ofText / count, titleTerms: ofTitle / count } };
};
