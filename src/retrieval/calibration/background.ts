import type { Tenant } from "../../domain/records.ts";
import type { SnippetHit, SnippetView } from "../../store/contract.ts";

/** Vectors of a random snippet, beside which the cosines of the found ones are judged. */
export type BackgroundSnippet = Pick<SnippetHit, "documentId" | "vector" | "modelVector">;

export type Background = readonly BackgroundSnippet[];

/** Random snippets of a tenant: enough for a mean and a deviation to a tenth. */
const sampleSize = 96;
/** Tenants whose samples are kept, those asked last; each is some 100 KB, with a model's vectors 500 KB. */
const maxTenants = 64;
/** A sample is taken again after this time, as documents come and go, or when the model's vectors are others. */
const maxAgeMs = 60_000;

/** The samples of the tenants that ask, kept for a while. */
export interface Backgrounds {
  of(view: SnippetView, tenant: Tenant): Promise<Background>;
}

/** @param now monotonic milliseconds */
export const createBackgrounds = (now: () => number = () => performance.now()): Backgrounds => {
  const kept = new Map<string, { takenAt: number; sample: Promise<Background> }>();
  return {
    of(view, tenant) {
      const key = JSON.stringify([
        tenant.organizationId,
        tenant.partitionId,
        view.index.id,
        view.vectorSet?.id ?? null,
      ]);
      const known = kept.get(key);
      if (known !== undefined && now() - known.takenAt < maxAgeMs) return known.sample;
      const sample = take(view, tenant);
      kept.delete(key);
      kept.set(key, { takenAt: now(), sample });
      // A failure is not kept: the next question tries again.
      sample.catch(() => kept.delete(key));
      for (const oldest of kept.keys()) {
        if (kept.size <= maxTenants) break;
        kept.delete(oldest);
      }
      return sample;
    },
  };
};

const take = async (view: SnippetView, tenant: Tenant): Promise<Background> => {
  const found = await view.addModelVectors(await view.sample(tenant, sampleSize));
  // Copies: the text of the snippets need not stay in memory.
  return found.map(({ documentId, vector, modelVector }) => ({
    documentId,
    vector: vector?.slice() ?? null,
    modelVector: modelVector?.slice() ?? null,
  }));
};
