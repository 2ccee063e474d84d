import { BucketFailure, configuredBucket, proveConditions } from "../../replication/bucket.ts";
import { readHead } from "../../replication/head.ts";
import { type Check, failed, fine, type Told, warning } from "./finding.ts";

const maxMs = 5_000;

/** Whether the bucket of a shared store can hold one, and whether this machine reaches the server that writes it. */
export const sharedStoreCheck: Check = {
  name: "shared store",
  isQuick: false,
  async run({ config, signal }) {
    if (config.store.uri === null) return [];
    try {
      const bucket = configuredBucket(config.store);
      await proveConditions(bucket, signal);
      const head = await readHead(bucket, signal);
      if (head === null) return [warning(`${bucket.name} holds no store yet.`, "Start the server, which makes one.")];
      if (head.keeper === null)
        return [warning(`No server writes ${bucket.name} at the moment.`, "Start one with the same settings.")];
      return [await writerFinding(bucket.name, head.keeper.address, signal)];
    } catch (error) {
      if (!(error instanceof BucketFailure)) throw error;
      return [
        failed(error.message, "Mend what it names: the server neither starts nor takes changes without the bucket."),
      ];
    }
  },
};

const writerFinding = async (bucket: string, address: string, signal: AbortSignal): Promise<Told> => {
  const limit = AbortSignal.any([signal, AbortSignal.timeout(maxMs)]);
  const isReached = await fetch(`${address}/health/live`, { signal: limit }).then(
    ({ ok }) => ok,
    () => false,
  );
  if (signal.aborted) throw signal.reason;
  return isReached
    ? fine(`${bucket} is written by the server at ${address}, which answers.`)
    : warning(
        `The server that writes ${bucket} does not answer at ${address}, from here.`,
        "If it runs, set its store.address to an address that the other servers reach; if it does not, another one takes over.",
      );
};
