/** The text quoted, so that a shell reads it as one word. */
export const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;
