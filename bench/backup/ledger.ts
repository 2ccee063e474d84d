/** A document that the server acknowledged. */
export interface Entry {
  readonly id: string;
  /** A word that only this document holds. */
  readonly word: string;
  readonly isFile: boolean;
  readonly acknowledgedAt: number;
  /** When its deletion or replacement was asked for; endless if it was not. */
  readonly goneAt: number;
}

const neverGone = Number.POSITIVE_INFINITY;

/** Writes to a server as its users do, and keeps the book of what it acknowledged. */
export const createLedger = (key: string, random: () => number) => {
  const entries: Entry[] = [];
  let count = 0;
  let isDead = false;

  const request = async (
    url: string,
    method: string,
    path: string,
    body: string | FormData | null,
  ): Promise<string | null> => {
    const response = await fetch(url + path, {
      method,
      headers: {
        authorization: `Bearer ${key}`,
        ...(typeof body === "string" ? { "content-type": "application/json" } : {}),
      },
      body,
    }).catch(() => null);
    // A dead server is not written to: what it was not told of must stay as it is.
    if (response === null) isDead = true;
    if (response === null || !response.ok) return null;
    const answer = (await response.json().catch(() => null)) as { id?: string } | null;
    return answer?.id ?? null;
  };

  const textOf = (word: string): string => `The keeper of ${word} counts the birds of the bay. `.repeat(40);
  const nextWord = (): string => `w${count++}q`;

  const ingest = async (url: string): Promise<void> => {
    const word = nextWord();
    const isFile = random() < 0.5;
    const form = new FormData();
    form.set("file", new File([textOf(word)], `${word}.txt`));
    const body = isFile ? form : JSON.stringify({ name: word, text: textOf(word) });
    const id = await request(url, "POST", "/api/ingest", body);
    if (id !== null) entries.push({ id, word, isFile, acknowledgedAt: Date.now(), goneAt: neverGone });
  };

  /** A living document, marked as gone before the request: from then on it may be there or not. */
  const take = (): Entry | null => {
    const alive = entries.flatMap(({ goneAt }, index) => (goneAt === neverGone ? [index] : []));
    const at = alive[Math.floor(random() * alive.length)];
    const entry = at === undefined ? undefined : entries[at];
    if (at === undefined || entry === undefined) return null;
    entries[at] = { ...entry, goneAt: Date.now() };
    return entry;
  };

  const remove = async (url: string): Promise<void> => {
    const entry = take();
    if (entry !== null) await request(url, "DELETE", `/api/document/${entry.id}`, null);
  };

  const replace = async (url: string): Promise<void> => {
    const entry = take();
    if (entry === null) return;
    const word = nextWord();
    const id = await request(url, "PUT", `/api/document/${entry.id}`, JSON.stringify({ text: textOf(word) }));
    if (id !== null) entries.push({ id, word, isFile: false, acknowledgedAt: Date.now(), goneAt: neverGone });
  };

  return {
    size: () => entries.length,
    /** What a backup with this mark must hold (epoch ms). */
    due: (mark: number): Entry[] =>
      entries.filter(({ acknowledgedAt, goneAt }) => acknowledgedAt < mark && goneAt > mark),
    /** Writes with the given number of clients until `stop`, also while the server is dead. */
    write(url: string, clients: number) {
      let isStopped = false;
      isDead = false;
      const client = async (): Promise<void> => {
        while (!isStopped && !isDead) {
          const kind = random();
          if (kind < 0.7) await ingest(url);
          else if (kind < 0.85) await replace(url);
          else await remove(url);
        }
      };
      const running = Array.from({ length: clients }, client);
      return {
        async stop(): Promise<void> {
          isStopped = true;
          await Promise.all(running);
        },
      };
    },
  };
};
