/** unstructured-client cuts PDFs up with pdf-lib if `splitPdfPage` is set, which Carrel never does. */
export const PDFDocument = {
  load(): never {
    throw new Error("This program does not cut up PDFs.");
  },
};
