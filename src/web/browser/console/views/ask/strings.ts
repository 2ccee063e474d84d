/** Texts of the ask view. */
export const askStrings = {};
