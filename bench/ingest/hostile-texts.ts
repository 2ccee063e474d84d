import { hostileTexts, textFiles } from "../../tools/samples/hostile-texts.ts";
import type { OtherTenant } from "./other-tenant.ts";

export interface TextRun {
  /** How many were sent. */
  sent: number;
  /** The texts during which others waited longest and for what, the worst first. */
  worst: { what: string; longestMs: number }[];
  faults: string[];
}

const sizes: readonly [name: string, characters: number][] = [
  ["64 KB", 65_536],
  ["1 MB", 1_048_576],
  ["10 MB", 10_485_760],
];
const longestQuestion = 8_000;
const longestSearch = 255;
const shownWorst = 10;

/**
 * Sends every hostile text as a file of each kind, as `text` and as a question, and looks how long others waited.
 * @param largest name of the largest size that is sent
 */
export const sendTexts = async (
  url: string,
  authorization: string,
  other: OtherTenant,
  largest: string,
): Promise<TextRun> => {
  const run: TextRun = { sent: 0, worst: [], faults: [] };
  const headers = { authorization, "content-type": "application/json" };
  const post = (path: string, body: unknown) =>
    fetch(url + path, { method: "POST", headers, body: JSON.stringify(body) });
  const upload = (text: string, { name, mimeType }: (typeof textFiles)[number]) => {
    const form = new FormData();
    form.append("file", new File([text], name, mimeType === null ? {} : { type: mimeType }));
    return fetch(`${url}/api/ingest`, { method: "POST", headers: { authorization }, body: form });
  };
  const check = async (what: string, sending: Promise<Response>): Promise<void> => {
    run.sent += 1;
    const answer = await sending.catch((error: unknown) => String(error));
    if (typeof answer === "string") run.faults.push(`${what}: ${answer}`);
    else {
      await answer.arrayBuffer();
      if (answer.status === 500) run.faults.push(`${what}: 500`);
    }
  };

  const end = sizes.findIndex(([name]) => name === largest) + 1;
  for (const [size, characters] of sizes.slice(0, end)) {
    for (const [pattern, text] of hostileTexts(characters)) {
      const what = `${size} of ${pattern}`;
      other.takeWaits();
      await Promise.all([
        ...textFiles.map((file) => check(`${what} as ${file.name}`, upload(text, file))),
        check(`${what} as text`, post("/api/ingest", { name: "Hostile", text })),
        check(`${what} asked`, post("/api/query", { query: text.slice(0, longestQuestion) })),
        check(
          `${what} searched for`,
          fetch(`${url}/api/partition/search?${new URLSearchParams({ searchValue: text.slice(0, longestSearch) })}`, {
            headers,
          }),
        ),
      ]);
      for (const [request, waits] of Object.entries(other.takeWaits()))
        run.worst.push({ what: `${what}, for ${request}`, longestMs: Math.max(0, ...waits) });
    }
  }
  run.worst = run.worst.sort((a, b) => b.longestMs - a.longestMs).slice(0, shownWorst);
  return run;
};
