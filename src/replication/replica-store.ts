import type { SnippetView, Store } from "../store/contract.ts";

/** A store that is replaced by a newer one of itself, while calls of the former one end. */
interface ReplicaStore {
  readonly store: Store;
  /** Calls from now on get the newer one. The former is closed once its calls and views have ended. */
  replace(newer: Store): Promise<void>;
}

/** A store, with the calls and views of it that have not ended. */
interface Counted {
  readonly store: Store;
  inUse: number;
  isReplaced: boolean;
  readonly closed: PromiseWithResolvers<void>;
}

/** A view or a stream that nobody ends keeps the former store no longer than this. */
const maxUseMs = 600_000;

const counted = (store: Store): Counted => ({
  store,
  inUse: 0,
  isReplaced: false,
  closed: Promise.withResolvers<void>(),
});

/**
 * One store for the whole program, over stores that follow each other.
 * @param withOwn puts what this process does itself in place of what the store would
 */
export const createReplicaStore = (first: Store, withOwn: (store: Store) => Store): ReplicaStore => {
  let current = counted(first);

  const end = (of: Counted): void => {
    of.inUse -= 1;
    if (of.isReplaced && of.inUse === 0) of.store.close().then(of.closed.resolve, of.closed.reject);
  };

  /** Calls the method of the current store, and counts the call until its result is there. */
  const forwarded = (call: (store: Store) => unknown): unknown => {
    const used = current;
    used.inUse += 1;
    let result: unknown;
    try {
      result = call(used.store);
    } catch (error) {
      end(used);
      throw error;
    }
    if (result instanceof Promise) return result.finally(() => end(used));
    end(used);
    return result;
  };

  /** The methods of one member, each of which asks the store of that moment. */
  const memberOf = <Name extends keyof Store>(name: Name): Store[Name] => {
    const methods = Object.keys(first[name]).map((method) => [
      method,
      (...given: unknown[]) =>
        forwarded((store) => {
          const member = store[name] as unknown as Record<string, (...given: unknown[]) => unknown>;
          return member[method]?.(...given);
        }),
    ]);
    return Object.fromEntries(methods) as Store[Name];
  };

  const openSnippets = (): SnippetView => {
    const used = current;
    used.inUse += 1;
    const view = used.store.openSnippets();
    let isOpen = true;
    return {
      ...view,
      close() {
        view.close();
        if (isOpen) end(used);
        isOpen = false;
      },
    };
  };

  const values = ["secret", "openSnippets", "freeze", "announce", "close"] as const;
  const members = (Object.keys(first) as (keyof Store)[])
    .filter((name) => !(values as readonly string[]).includes(name))
    .map((name) => [name, memberOf(name)]);
  const store: Store = {
    ...(Object.fromEntries(members) as Omit<Store, (typeof values)[number]>),
    secret: first.secret,
    openSnippets,
    freeze: () => current.store.freeze(),
    announce: (address) => current.store.announce(address),
    close: () => current.store.close(),
  };

  return {
    store: withOwn(store),
    async replace(newer) {
      const former = current;
      current = counted(newer);
      former.isReplaced = true;
      former.inUse += 1;
      end(former);
      const late = setTimeout(() => former.store.close().then(former.closed.resolve, former.closed.reject), maxUseMs);
      late.unref();
      await former.closed.promise.finally(() => clearTimeout(late));
    },
  };
};
