export interface StreamedEvent {
  event: string;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into whatever comes
  data: any;
}

/** Reads a whole event stream as the HTML standard says, and throws for anything a strict client would drop. */
export const readEvents = (text: string): StreamedEvent[] => {
  if (!text.endsWith("\n\n")) throw new Error(`the last event is not ended by a blank line: ${text.slice(-80)}`);
  const events: StreamedEvent[] = [];
  for (const block of text.slice(0, -2).split("\n\n")) {
    const fields = block.split("\n").filter((line) => !line.startsWith(":"));
    if (fields.length === 0) continue;
    const names = fields.map((line) => line.slice(0, line.indexOf(":")));
    if (names.join() !== "event,data") throw new Error(`an event holds the fields ${names.join()}`);
    const [event = "", data = ""] = fields.map((line) => line.slice(line.indexOf(":") + 1).replace(/^ /, ""));
    events.push({ event, data: JSON.parse(data) });
  }
  return events;
};
