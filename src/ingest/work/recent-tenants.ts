/** Which organizations the server has lately done something for: asked or taken in. */
export interface RecentTenants {
  note(organizationId: string): void;
  /** Whether there was anything for another organization within the last seconds. */
  hasOthersThan(organizationId: string): boolean;
}

const recentMs = 2_000;

interface Noted {
  readonly organizationId: string;
  readonly at: number;
}

/** @param now milliseconds of a clock that is never set back */
export const createRecentTenants = (now: () => number = () => performance.now()): RecentTenants => {
  let last: Noted | null = null;
  /** The last of an organization other than the last one's. */
  let before: Noted | null = null;
  return {
    note(organizationId) {
      if (last !== null && last.organizationId !== organizationId) before = last;
      last = { organizationId, at: now() };
    },
    hasOthersThan(organizationId) {
      const other = last?.organizationId === organizationId ? before : last;
      return other !== null && now() - other.at < recentMs;
    },
  };
};
