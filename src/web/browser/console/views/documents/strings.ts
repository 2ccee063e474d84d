/** Texts of the documents view and of a document. */
export const documentsStrings = {};
