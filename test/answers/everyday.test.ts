import { afterAll, expect, test } from "bun:test";
import { askServer, uploadAll } from "../../bench/quality/everyday/asking.ts";
import { isGood, judge } from "../../bench/quality/everyday/judge.ts";
import { readEverydaySet } from "../../bench/quality/everyday/set.ts";
import { startTestServer } from "../start-server.ts";

/**
 * How many of the two asks of each kind must come out well, at least: raised as more do. All asks, and what they are:
 * bench/quality/README.md.
 */
const floors: Record<string, number> = {
  plain: 2,
  courteous: 2,
  long: 2,
  keywords: 2,
  typos: 2,
  paraphrase: 1,
  "absent-near": 2,
  "absent-far": 2,
  summary: 2,
  about: 2,
  inventory: 2,
  "cross-language": 1,
  list: 2,
  count: 2,
  superlative: 2,
  table: 2,
  compare: 2,
  "follow-up": 2,
  transform: 2,
  courtesy: 2,
  metadata: 2,
  newest: 1,
};

/** Which asks of a kind: not the first, which is the easiest. */
const chosen = [1, 4];
/** Rows of the table that is made by code. */
const rows = 600;

const { documents, asks } = await readEverydaySet("develop", rows);
const asServer = () => ({ url: server.url, headers: { authorization: `Bearer ${server.key}` } });

const server = await startTestServer();
const ids = await uploadAll(asServer(), documents);
afterAll(() => server.stop());

test("every kind is answered at least as well as it was", async () => {
  const good: Record<string, number> = {};
  const failures: string[] = [];
  for (const kind of new Set(asks.map((ask) => ask.kind))) {
    good[kind] = 0;
    const ofKind = asks.filter((ask) => ask.kind === kind);
    for (const at of chosen) {
      const ask = ofKind[at];
      if (ask === undefined) throw new Error(`there is no ask ${at} of kind ${kind}`);
      const answer = await askServer(asServer(), ask, ids);
      const outcome = judge(ask, answer);
      if (isGood(ask, outcome)) good[kind]++;
      else failures.push(`${ask.id} (${outcome}): ${ask.turns.join(" / ")}\n${answer.text}`);
    }
  }
  const below = Object.keys(good).filter((kind) => !((good[kind] ?? 0) >= (floors[kind] ?? Number.NaN)));
  expect({ below, failures: below.length === 0 ? [] : failures }).toEqual({ below: [], failures: [] });
});
