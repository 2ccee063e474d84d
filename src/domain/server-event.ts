/** One server-sent event; `data` is sent as JSON. */
export interface ServerEvent {
  event: string;
  data: unknown;
}
