import { LRUCache } from "lru-cache";
import type { Tenant } from "../../domain/records.ts";
import { type SnippetHit, type SnippetView, type Store, wholeTenant } from "../../store/contract.ts";

/** What is known of a random snippet, beside which the found ones are judged: their cosines, and where they come from. */
type RandomSnippet = Pick<SnippetHit, "documentId" | "titleTerms" | "vector" | "modelVector">;

export type RandomSnippets = readonly RandomSnippet[];

/** Random snippets of a tenant: enough for a mean and a deviation to a tenth. */
const sampleSize = 96;
/** Tenants whose samples are kept, those asked last; each is some 100 KB, with a model's vectors 500 KB. */
const maxTenants = 64;
/** After this time a sample is taken again, as documents come and go; the old one is used meanwhile. */
const maxAgeMs = 60_000;
/** One that is older by this is not used: the tenant's documents may all be others. */
const maxStaleMs = 600_000;
/** Nor is one of a tenant that had so many times the snippets, or so many times fewer: as it was before its documents came. */
const growth = 1.5;
/** The ages while vectors of the configured model are made: a sample of few says little about it. */
const whileMade = { maxAgeMs: 5_000, maxStaleMs: 30_000 };

/** The samples of the tenants that ask, kept for a while. A question waits for the first sample of its tenant only. */
export interface RandomSamples {
  of(view: SnippetView, tenant: Tenant): Promise<RandomSnippets>;
}

interface Sample {
  snippets: RandomSnippets;
  /** All snippets that the tenant had. */
  from: number;
}

/** Where a sample is taken: in a view that is open, or after a question in one of its own. */
interface Source {
  tenant: Tenant;
  view: SnippetView;
}

/** @param now monotonic milliseconds */
export const createRandomSamples = (
  { openSnippets }: Pick<Store, "openSnippets">,
  now: () => number = () => performance.now(),
): RandomSamples => {
  const samples = new LRUCache<string, Sample, Source>({
    max: maxTenants,
    ttl: maxAgeMs,
    perf: { now },
    // With the age read anew at each question, a test's clock counts.
    ttlResolution: 0,
    allowStale: true,
    noDeleteOnFetchRejection: true,
    async fetchMethod(key, stale, { context: { view, tenant }, options }) {
      const sample = stale === undefined ? await take(view, tenant) : await takeAnew(key, stale, tenant);
      if (lacksVectors(view, sample)) options.ttl = whileMade.maxAgeMs;
      return sample;
    },
  });
  const takeAnew = async (key: string, stale: Sample, tenant: Tenant): Promise<Sample> => {
    const view = openSnippets();
    try {
      // Vectors of another index or set would say nothing beside this view's: the next question has another key.
      return keyOf(view, tenant) === key ? await take(view, tenant) : stale;
    } finally {
      view.close();
    }
  };
  return {
    async of(view, tenant) {
      const key = keyOf(view, tenant);
      const now = await view.count(tenant, wholeTenant);
      const known = samples.peek(key);
      if (known !== undefined) {
        const longestMs = lacksVectors(view, known) ? whileMade.maxStaleMs : maxStaleMs;
        const isOfOthers = now.snippets > growth * known.from || known.from > growth * now.snippets;
        if (isOfOthers || samples.getRemainingTTL(key) < -longestMs) samples.delete(key);
      }
      return ((await samples.fetch(key, { context: { view, tenant } })) ?? (await take(view, tenant))).snippets;
    },
  };
};

const keyOf = ({ index, vectorSet }: SnippetView, { organizationId, partitionId }: Tenant): string =>
  JSON.stringify([organizationId, partitionId, index.id, vectorSet?.id ?? null]);

/** Whether snippets of a sample have no vector of the set yet. */
const lacksVectors = ({ vectorSet }: Pick<SnippetView, "vectorSet">, { snippets }: Sample): boolean =>
  vectorSet !== null && snippets.some(({ modelVector }) => modelVector === null);

const take = async (view: SnippetView, tenant: Tenant): Promise<Sample> => {
  const { snippets: from } = await view.count(tenant, wholeTenant);
  const found = await view.addModelVectors(await view.sample(tenant, sampleSize));
  // Copies: the text of the snippets need not stay in memory.
  const snippets = found.map(({ documentId, titleTerms, vector, modelVector }) => ({
    documentId,
    titleTerms,
    vector: vector?.slice() ?? null,
    modelVector: modelVector?.slice() ?? null,
  }));
  return { snippets, from };
};
