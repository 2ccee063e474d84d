import type { Urgency } from "../scheduling.ts";

/**
 * Those that wait for a turn, by organization. Organizations come in rotation: one that had a turn goes to the end. Within
 * an organization, interactive and background work alternate.
 */
interface Rotation<W> {
  /** @returns how many of the same organization and urgency wait already */
  countAhead(organizationId: string, urgency: Urgency): number;
  add(organizationId: string, urgency: Urgency, waiter: W): void;
  /** For one that gives up. */
  remove(organizationId: string, urgency: Urgency, waiter: W): void;
  /** Takes the next whose organization may have a turn; null where there is none. */
  next(mayRun: (organizationId: string) => boolean): W | null;
}

type Lanes<W> = Record<Urgency, W[]> & { last: Urgency };

export const createRotation = <W>(): Rotation<W> => {
  const lanes = new Map<string, Lanes<W>>();

  const lanesOf = (organizationId: string): Lanes<W> => {
    const known = lanes.get(organizationId);
    if (known !== undefined) return known;
    const made: Lanes<W> = { interactive: [], background: [], last: "background" };
    lanes.set(organizationId, made);
    return made;
  };

  return {
    countAhead: (organizationId, urgency) => lanes.get(organizationId)?.[urgency].length ?? 0,
    add: (organizationId, urgency, waiter) => void lanesOf(organizationId)[urgency].push(waiter),
    remove(organizationId, urgency, waiter) {
      const lane = lanes.get(organizationId)?.[urgency] ?? [];
      const at = lane.indexOf(waiter);
      if (at >= 0) lane.splice(at, 1);
    },
    next(mayRun) {
      for (const [organizationId, own] of lanes) {
        if (!mayRun(organizationId)) continue;
        const preferred: Urgency = own.last === "interactive" ? "background" : "interactive";
        const urgency: Urgency = own[preferred].length > 0 ? preferred : own.last;
        const waiter = own[urgency].shift();
        lanes.delete(organizationId);
        if (waiter === undefined) continue;
        own.last = urgency;
        if (own.interactive.length + own.background.length > 0) lanes.set(organizationId, own);
        return waiter;
      }
      return null;
    },
  };
};
