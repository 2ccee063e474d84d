/** Reads from a stream whose sender may fall silent. @returns the next chunk, `done` at the end of the stream; null where nothing came for `maxSilentMs` */
export const readUnlessSilent = async <Chunk>(
  reader: { read(): Promise<{ done: true; value?: unknown } | { done: false; value: Chunk }> },
  maxSilentMs: number,
): Promise<{ done: true } | { done: false; value: Chunk } | null> => {
  const silence = Promise.withResolvers<null>();
  // Where this process was busy for long, what came meanwhile is looked at before the time counts as over.
  const timer = setTimeout(() => setImmediate(() => silence.resolve(null)), maxSilentMs);
  try {
    const next = await Promise.race([reader.read(), silence.promise]);
    if (next === null) return null;
    return next.done ? { done: true } : { done: false, value: next.value };
  } finally {
    clearTimeout(timer);
  }
};
