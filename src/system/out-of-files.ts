import { codeOf, messageOf } from "../domain/thrown.ts";

const maxCauses = 5;

/** Whether the system, or LanceDB, says that no more files can be opened: by this process, or by all together. */
export const isOutOfFiles = (error: unknown): boolean => {
  let cause = error;
  for (let depth = 0; depth < maxCauses && cause instanceof Error; depth += 1) {
    if (/\b(?:EMFILE|ENFILE)\b|too many open files|os error 2[34]\b/i.test(`${codeOf(cause)} ${messageOf(cause)}`))
      return true;
    ({ cause } = cause);
  }
  return false;
};
