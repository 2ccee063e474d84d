/** One server-sent event; `data` is sent as JSON. */
export interface ServerEvent {
  /** Null: it has data alone. */
  event: string | null;
  data: unknown;
  /** `data` is a line of text, sent as it is. */
  isVerbatim?: true;
}
