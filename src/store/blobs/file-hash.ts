/** Whether a text is a SHA-256 in hexadecimal digits, the name of a file. */
export const isHash = (text: string): boolean => /^[0-9a-f]{64}$/.test(text);

/** Where the file of a hash lies in the data directory. */
export const storedFile = (hash: string): string => `files/${hash.slice(0, 2)}/${hash}`;
