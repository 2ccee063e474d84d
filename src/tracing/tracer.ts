/** Facts of a span. None of them holds a text, a question, a name or a key. */
type SpanFacts = Readonly<Record<string, string | number | boolean | string[]>>;

/** A piece of work that is under way. */
export interface OpenSpan {
  /** Runs `work` as a part of this span: what it opens is inside. */
  within<T>(work: () => T): T;
  note(facts: SpanFacts): void;
  /** Another name, once it is known what the work is. */
  rename(name: string): void;
  /** @param error the work failed with it; left out: it succeeded */
  end(error?: unknown): void;
}

type SpanKind = "internal" | "server" | "client";

interface SpanOptions {
  kind?: SpanKind;
  /** Of a caller, who may have begun the trace; without any the span begins one: work that nobody waits for. */
  headers?: Pick<Headers, "get">;
}

/** For work with a trace of its own, whatever caused it. */
export const ownTrace: SpanOptions = { headers: { get: () => null } };

/** Records what the parts of a request or a document's ingest took. */
export interface Tracer {
  /** Opens a span inside the one that is under way. */
  open(name: string, options?: SpanOptions): OpenSpan;
  /** Runs work as a span of its own; its error ends the span as failed and is thrown on. */
  span<T>(name: string, work: (span: OpenSpan) => Promise<T>, options?: SpanOptions): Promise<T>;
  /** Headers that pass the trace on to a server that is called now. */
  headers(): Record<string, string>;
  /** Sends what is left. */
  close(): Promise<void>;
}

/** Is not recorded. */
export const noSpan: OpenSpan = { within: (work) => work(), note() {}, rename() {}, end() {} };

/** Records nothing. */
export const noTracer: Tracer = {
  open: () => noSpan,
  span: (_name, work) => work(noSpan),
  headers: () => ({}),
  close: async () => undefined,
};

/** `open` and `end` around work. */
export const spanOf =
  (open: Tracer["open"]): Tracer["span"] =>
  async (name, work, options) => {
    const span = open(name, options);
    try {
      const result = await span.within(() => work(span));
      span.end();
      return result;
    } catch (error) {
      span.end(error);
      throw error;
    }
  };
