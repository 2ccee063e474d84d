/**
 * The first 16 digits of the SHA-256 of model.onnx, in hexadecimal: vectors of different revisions do not compare. Stated
 * here so that the file is read only when the model is loaded; a test compares the two.
 */
export const modelRevision = "f6b076d868910e19";
