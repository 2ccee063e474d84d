import { session } from "../../../state/session.ts";
import { isEverything, type Scope, toConditions } from "../state/scope.ts";
import { askStrings as words } from "../strings.ts";

/** A scope in a few words. */
export const scopeWords = (scope: Scope): string => {
  if (isEverything(scope)) return session.value?.partitionId ? words.ownPartition : words.everything;
  return [
    ...(scope.document === null ? [] : [words.inDocument(scope.document.name || words.unnamed)]),
    ...(scope.partition === null ? [] : [words.inPartition(scope.partition.name)]),
    ...toConditions(scope.metadata).map(({ key, operator, value }) => `${key} ${operator} ${value}`),
  ].join(" · ");
};
