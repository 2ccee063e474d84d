/**
 * What the audit log adds to a change, and limits to a request:
 *
 *     bun bench/operation/audit.ts [ROUNDS]
 *
 * On a store in a temporary folder that waits for the disk, as the server does: a change that is one durable commit (a
 * key), alone and recorded, in turns; then many at once, which share commits; then the admission of a request with and
 * without limits. Medians of ROUNDS (200), with the interval that holds 95 of 100 medians of resampled rounds.
 */

import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pino from "pino";
import { defaultConfig } from "../../config/load.ts";
import { recordChange } from "../../src/access/record-change.ts";
import { createRandom } from "../../src/evaluation/estimates.ts";
import { createKey } from "../../src/keys/keys.ts";
import { createRates } from "../../src/limits/rates.ts";
import { openStore } from "../../src/store/open.ts";

const rounds = Number(process.argv[2] ?? 200);
const concurrent = 32;
const admissions = 20_000;

const folder = await mkdtemp(join(tmpdir(), "carrel-bench-audit-"));
const log = pino({ level: "silent" });
const index = { provider: "builtin", model: "static", dimensions: 8, analysisVersion: 1 };
const store = await openStore({ dataDir: folder, index, log });

const tenant = { organizationId: "bench", partitionId: null };
const principal = { ...tenant, userId: "bench", role: "admin", keyId: "bench" } as const;
const change = async (): Promise<void> => {
  await createKey(store, tenant, { name: "k", role: "reader", userId: "u", partitionId: null, expiresAt: null });
};
const recorded = (): Promise<void> =>
  recordChange(
    { store, log },
    { principal, address: "127.0.0.1", requestId: "r" },
    { action: "key.created", targetId: "t", details: { name: "k" } },
    change,
  );

const timed = async (work: () => Promise<unknown>): Promise<number> => {
  const startedAt = performance.now();
  await work();
  return performance.now() - startedAt;
};

const median = (values: readonly number[]): number => [...values].sort((a, b) => a - b)[values.length >> 1] ?? 0;

/** The same figures give the same intervals. */
const random = createRandom(1);

const shown = (values: readonly number[]): string => {
  const medians = Array.from({ length: 1_000 }, () =>
    median(values.map(() => values[Math.floor(random() * values.length)] ?? 0)),
  ).sort((a, b) => a - b);
  const [low = 0, high = 0] = [medians[25], medians[974]];
  return `${median(values).toFixed(2)} ms (${low.toFixed(2)} to ${high.toFixed(2)})`;
};

try {
  for (let warm = 0; warm < 10; warm++) await recorded();
  const alone: number[] = [];
  const withEntry: number[] = [];
  for (let round = 0; round < rounds; round++) {
    alone.push(await timed(change));
    withEntry.push(await timed(recorded));
  }
  console.log(`a change alone:            ${shown(alone)}`);
  console.log(`the same, recorded:        ${shown(withEntry)}`);
  console.log(`difference of each pair:   ${shown(withEntry.map((ms, at) => ms - (alone[at] ?? 0)))}`);
  const many = (work: () => Promise<void>) => timed(() => Promise.all(Array.from({ length: concurrent }, work)));
  const manyAlone: number[] = [];
  const manyRecorded: number[] = [];
  for (let round = 0; round < Math.ceil(rounds / 8); round++) {
    manyAlone.push(await many(change));
    manyRecorded.push(await many(recorded));
  }
  console.log(`${concurrent} at once, alone:         ${shown(manyAlone)}`);
  console.log(`${concurrent} at once, recorded:      ${shown(manyRecorded)}`);

  const settings = defaultConfig();
  const rates = createRates({ settings, keyLimits: store.keyLimits });
  const admit = async () => {
    for (let count = 0; count < admissions; count++) await rates.admit({ ...principal, role: "reader" });
  };
  await admit();
  const free = (await timed(admit)) / admissions;
  settings.limits.key = { ...settings.limits.key, requestsPerMinute: 1_000_000, tokensPerDay: 1_000_000 };
  settings.limits.organization = { ...settings.limits.organization, requestsPerMinute: 1_000_000 };
  await admit();
  const limited = (await timed(admit)) / admissions;
  console.log(
    `admission without limits:  ${(free * 1_000).toFixed(1)} µs; with three: ${(limited * 1_000).toFixed(1)} µs`,
  );
} finally {
  await store.close();
  await rm(folder, { recursive: true, force: true });
}
