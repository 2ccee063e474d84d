/**
 * The change of embedding model at length: 2,000 documents, the server killed ten times with -9.
 *
 *     bun bench/embedder/kills.ts [documents] [kills]
 */
import { changeUnderKills } from "./change-under-kills.ts";

const [documents = 2_000, kills = 10] = process.argv.slice(2).map(Number);
const began = performance.now();
const figures = await changeUnderKills({ documents, kills, delayMs: 120, maxLifeMs: 5_000 });
console.log(JSON.stringify({ documents, kills, seconds: Math.round((performance.now() - began) / 1000), ...figures }));
