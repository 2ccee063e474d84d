import { inParallel } from "../async/in-parallel.ts";
import { newestFirst } from "../domain/times.ts";
import {
  backupIn,
  backupsFolder,
  decodeFileList,
  decodeManifest,
  type ListedFile,
  type Manifest,
  manifestName,
} from "./format/format.ts";
import { readObject } from "./objects.ts";
import type { BackupTarget } from "./target/target.ts";

/** A backup of a target. */
export interface FoundBackup {
  readonly id: string;
  /** As text: why it cannot be used. */
  readonly manifest: Manifest | string;
}

const maxReadsAtOnce = 8;
/** Backups that are read at most. */
const maxBackups = 10_000;

/** The complete backups of a target, the newest first; those that a wrong clock dated, and that cannot be read, come last. */
export const readManifests = async (target: BackupTarget, signal: AbortSignal): Promise<FoundBackup[]> => {
  const ids: string[] = [];
  for await (const { name } of target.list(backupsFolder, signal)) {
    const id = backupIn(name);
    if (id !== null && ids.length < maxBackups) ids.push(id);
  }
  const found = await inParallel(ids, maxReadsAtOnce, async (id): Promise<FoundBackup> => {
    const bytes = await target.read(manifestName(id), signal);
    const manifest = bytes === null ? "its manifest is missing" : decodeManifest(bytes);
    if (typeof manifest !== "string" && manifest.id !== id) return { id, manifest: "its manifest is damaged" };
    return { id, manifest };
  });
  const markOf = ({ manifest }: FoundBackup): number =>
    typeof manifest === "string" ? Number.NEGATIVE_INFINITY : Date.parse(manifest.markedAt);
  const isBroken = ({ manifest }: FoundBackup): number => Number(typeof manifest === "string");
  return found.sort(
    (one, other) =>
      isBroken(one) - isBroken(other) || newestFirst(markOf(one), markOf(other)) || other.id.localeCompare(one.id),
  );
};

/** The files of a backup; as text: what is wrong with their list, or with what the manifest says of it. */
export const readFileList = async (
  target: BackupTarget,
  { list, files, bytes }: Manifest,
  signal: AbortSignal,
): Promise<ListedFile[] | string> => {
  const pieces = await inParallel(list.pieces, maxReadsAtOnce, (piece) => readObject(target, piece, signal));
  const whole = pieces.filter((piece) => piece !== null);
  const encoded = Buffer.concat(whole);
  if (whole.length < pieces.length || encoded.length !== list.bytes) return "its list of files is missing or damaged";
  const listed = await decodeFileList(encoded, signal);
  if (typeof listed === "string") return listed;
  // A restore looks for as much space as the manifest says.
  const isAsSaid = listed.length === files && listed.reduce((sum, file) => sum + file.bytes, 0) === bytes;
  return isAsSaid ? listed : "its list of files is not what its manifest says of it";
};

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
