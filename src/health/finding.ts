/** What one check of `carrel doctor` found. */
export interface Finding {
  check: string;
  /** `failed`: Carrel does not work, or not as configured. `warning`: it works, and may not for long. */
  status: "ok" | "warning" | "failed";
  /** What was found, in a sentence. */
  detail: string;
  /** What to do; null where nothing is to be done. */
  fix: string | null;
}
