import { session } from "../../../state/session.ts";
import { strings } from "../../../strings.ts";
import { isEverything, type Scope, toConditions } from "../state/scope.ts";

/** A scope in a few words. */
export const scopeWords = (scope: Scope): string => {
  const { ask } = strings;
  if (isEverything(scope)) return session.value?.partitionId ? ask.ownPartition : ask.everything;
  return [
    ...(scope.document === null ? [] : [ask.inDocument(scope.document.name || ask.unnamed)]),
    ...(scope.partition === null ? [] : [ask.inPartition(scope.partition.name)]),
    ...toConditions(scope.metadata).map(({ key, operator, value }) => `${key} ${operator} ${value}`),
  ].join(" · ");
};
