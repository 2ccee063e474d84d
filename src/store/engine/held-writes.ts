import { rowsOf, type Write, type WriteGroup } from "./write-plan.ts";

/** Writes that wait while work runs beside added rows, in their order. */
export interface HeldWrites<W> {
  /**
   * Holds the writes of a group but those that only add rows which no held write concerns.
   * @param all holds those too
   * @returns the group of those that may be committed now; null if there are none
   */
  holdBack(group: WriteGroup<W>, all: boolean): WriteGroup<W> | null;
  /** All held writes; none is held afterwards. */
  takeAll(): W[];
  size(): { readonly writes: number; readonly rows: number };
}

export const createHeldWrites = <W extends { readonly write: Write }>(): HeldWrites<W> => {
  let held: W[] = [];
  let rows = 0;
  let holdsAll = false;
  const heldScopes = new Set<string>();
  const scopesOf = ({ write }: W): readonly string[] => ("scopes" in write ? write.scopes : []);
  return {
    holdBack(group, all) {
      const free: W[] = [];
      for (const member of group.members) {
        const scopes = scopesOf(member);
        if (
          (group.kind === "add" || group.kind === "insert") &&
          !all &&
          !holdsAll &&
          !scopes.some((scope) => heldScopes.has(scope))
        ) {
          free.push(member);
          continue;
        }
        held.push(member);
        rows += rowsOf(member.write);
        for (const scope of scopes) heldScopes.add(scope);
      }
      holdsAll ||= group.kind === "alone";
      return free.length === 0 ? null : { ...group, members: free, scopes: new Set(free.flatMap(scopesOf)) };
    },
    takeAll() {
      const taken = held;
      held = [];
      rows = 0;
      holdsAll = false;
      heldScopes.clear();
      return taken;
    },
    size: () => ({ writes: held.length, rows }),
  };
};
