interface ProgressProps {
  /** What progresses, for screen readers. */
  label: string;
  value: number;
  max: number;
  /** How far it is, in words and numbers: "page 41 of 120". */
  children?: string;
}

/** How far something is: a bar, and words where there are any. */
export const Progress = ({ label, value, max, children }: ProgressProps) => (
  <span class="progress">
    <progress aria-label={label} value={value} max={Math.max(1, max)} />
    {children !== undefined && <span class="quiet">{children}</span>}
  </span>
);
