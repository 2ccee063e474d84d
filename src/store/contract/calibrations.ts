/** What the refusal gate has learned from the text of one organization. */
export interface CalibrationRecord {
  organizationId: string;
  /** What it was fitted with: the gate's version, analysis and models. With another one it is of no use. */
  fittedWith: string;
  /** Snippets that the organization had. */
  snippets: number;
  /** Questions it was fitted to, each asked twice; 0 if the text gave too few. */
  questions: number;
  /** Of the logistic function, in the order of `gateFeatureNames` (src/retrieval/calibration/feature-names.ts). */
  coefficients: number[];
  /** Evidence (log-odds) for questions whose text was there, ascending. */
  answerable: number[];
  /** Epoch ms. */
  fittedAt: number;
}

/** One calibration for each organization. */
export interface CalibrationStore {
  list(): Promise<CalibrationRecord[]>;
  put(calibration: CalibrationRecord): Promise<void>;
}
