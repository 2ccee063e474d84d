/**
 * How old stored records are: the one rule for all that is removed for its age.
 *
 * The clock alone must not decide that: a machine whose clock is years ahead for one start would remove everything, and
 * what such a start wrote would be kept for years once the clock is right. So the time that the store has lived is
 * counted: it goes on with the clock, also while no program runs, for a day at most; a longer leap, or one back, counts
 * as a clock that was set, and only the time that really passes counts from there on. For each stretch in which the clock
 * ran evenly it is known how it relates to the time lived, so that the age of a record follows from the clock's time in
 * it. A store that was off for longer keeps its records longer by that time; it never removes them early.
 */
export interface Ages {
  /** The time lived since a record was written. @param writtenAt by the clock of that moment (epoch ms) */
  of(writtenAt: number): number;
  /** SQL that holds for rows that are older. @param column holds when they were written (epoch ms) */
  areOver(ageMs: number, column: string): string;
  /** Notes the time, and ends the timer. */
  close(): Promise<void>;
}
