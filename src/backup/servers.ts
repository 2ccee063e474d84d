import type { Manifest } from "./format/manifest.ts";
import type { FoundBackup } from "./manifests.ts";

/** A server that keeps backups in a target. */
interface BackupServer {
  /** Names the store: a restored one keeps the name. */
  readonly store: string;
  /** Its machine and data directory, as its newest backup tells: `nas:/srv/carrel`. */
  readonly name: string;
  /** The newest first. */
  readonly backups: readonly Manifest[];
}

/** Who made a backup: host and data directory; of a backup of an older program, only the store is known. */
export const serverName = ({ server, store }: Pick<Manifest, "server" | "store">): string =>
  server === undefined ? `store ${store.slice(0, 8)}` : `${server.host}:${server.dataDir}`;

/**
 * The servers whose backups are in a target. A store that was moved, or whose container got another host name, is one
 * server: its names follow one another. Where a name comes again after another one, several servers work with the same
 * store, as after a restore for a trial.
 * @param found the newest first
 */
export const serversIn = (found: readonly FoundBackup[]): BackupServer[] => {
  const readable = found.flatMap(({ manifest }) => (typeof manifest === "string" ? [] : [manifest]));
  return [...Map.groupBy(readable, ({ store }) => store)].flatMap(([store, backups]) => {
    const byName = Map.groupBy(backups, serverName);
    const turns = backups.filter((each, at) => at === 0 || serverName(each) !== serverName(backups[at - 1] ?? each));
    const groups = turns.length > byName.size ? [...byName.values()] : [backups];
    return groups.map((group) => ({
      store,
      name: group[0] === undefined ? store : serverName(group[0]),
      backups: group,
    }));
  });
};

/** Names of the servers that share the target with this one. */
export const othersIn = (found: readonly FoundBackup[], own: Pick<Manifest, "server" | "store">): string[] => {
  const servers = serversIn(found);
  const ofStore = servers.filter(({ store }) => store === own.store);
  return servers
    .filter(({ store, name }) => store !== own.store || (ofStore.length > 1 && name !== serverName(own)))
    .map(({ name }) => name);
};
