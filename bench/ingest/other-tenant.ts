/** An organization that goes on asking and ingesting while something else happens to the server. */
export interface OtherTenant {
  /** Milliseconds that its requests took since the last call of this. */
  takeWaits(): Waits;
  /** Ends it. @throws Error where one of its requests was refused */
  stop(): Promise<void>;
}

export interface Waits {
  ask: number[];
  ingest: number[];
  /** Whether the server is there at all: nothing but its event loop is in the way. */
  health: number[];
}

const none = (): Waits => ({ ask: [], ingest: [], health: [] });

/** Between two of its requests. */
const pauseMs = 40;

/** Starts it. `key` is that of a writer. */
export const startOtherTenant = (url: string, key: string): OtherTenant => {
  let waits: Waits = none();
  let isOver = false;

  const send = async (list: "ask" | "ingest", path: string, body: unknown): Promise<void> => {
    const into = waits[list];
    const began = performance.now();
    const response = await fetch(url + path, {
      method: "POST",
      headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
      body: JSON.stringify(body),
    });
    await response.arrayBuffer();
    if (!response.ok) throw new Error(`the other tenant got ${response.status}`);
    into.push(performance.now() - began);
  };

  const work = async (): Promise<void> => {
    for (let number = 0; !isOver; number++) {
      const text = `Note ${number}. Pump ${number % 97} was inspected in the northern hall, and valve ${number % 89} was closed.`;
      await send("ingest", "/api/ingest", { name: `Note ${number}`, text });
      await Bun.sleep(pauseMs);
      await send("ask", "/api/query", { query: `Where was pump ${number % 97} inspected?` });
      await Bun.sleep(pauseMs);
    }
  };
  const lookAfter = async (): Promise<void> => {
    while (!isOver) {
      const into = waits.health;
      const began = performance.now();
      const response = await fetch(`${url}/health/live`);
      await response.arrayBuffer();
      into.push(performance.now() - began);
      await Bun.sleep(pauseMs);
    }
  };
  const working = Promise.all([work(), lookAfter()]);
  // It is looked at when it is stopped.
  working.catch(() => {});

  return {
    takeWaits() {
      const taken = waits;
      waits = none();
      return taken;
    },
    async stop() {
      isOver = true;
      await working;
    },
  };
};
