import type { Organization } from "../domain/records.ts";
import type { Store } from "../store/contract.ts";

/** Organizations looked at in one turn. */
const maxLooks = 200;

/** Goes through all organizations, again and again. */
export interface Rounds {
  /** Looks at some organizations, the next ones. @returns whether each was looked at since the round began */
  goOn(): Promise<boolean>;
  /** Begins a new round, with the organization whose turn it is. */
  begin(): void;
}

export const createRounds = (
  store: Pick<Store, "organizations">,
  look: (organization: Organization) => Promise<void>,
  signal: AbortSignal,
): Rounds => {
  let next = 0;
  /** Organizations looked at in this round. */
  let lookedAt = 0;
  return {
    async goOn() {
      const organizations = await store.organizations.list();
      for (let looked = 0; looked < Math.min(maxLooks, organizations.length) && !signal.aborted; looked++) {
        const organization = organizations[next % organizations.length];
        next = (next + 1) % organizations.length;
        if (organization !== undefined) await look(organization);
      }
      lookedAt = Math.min(lookedAt + maxLooks, organizations.length);
      return lookedAt === organizations.length;
    },
    begin() {
      lookedAt = 0;
    },
  };
};
