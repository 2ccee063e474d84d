import { ApiError } from "../domain/errors.ts";
import type { Tenant } from "../domain/records.ts";
import type { Store } from "../store/contract.ts";

const all = "carrel";
const prefix = `${all}/`;
const maxPartitions = 1_000;

type ModelStore = Pick<Store, "organizations" | "partitions">;

interface Model {
  id: string;
  object: "model";
  /** In seconds. */
  created: number;
  owned_by: "carrel";
  name: string;
}

const model = (id: string, name: string, createdAt: number): Model => ({
  id,
  object: "model",
  created: Math.floor(createdAt / 1000),
  owned_by: "carrel",
  name,
});

const ofAll = (store: ModelStore, { organizationId }: Tenant): Model =>
  model(all, "Carrel", store.organizations.getById(organizationId)?.createdAt ?? 0);

const ofPartition = ({ name, createdAt }: { name: string; createdAt: number }): Model =>
  model(prefix + name, `Carrel: ${name}`, createdAt);

/** All that may be asked: all documents that the key may see, and each partition. */
export const listModels = async (store: ModelStore, tenant: Tenant): Promise<Model[]> => {
  const { items } = await store.partitions.list(tenant, { limit: maxPartitions, skip: 0, sortOrder: "desc" }, null);
  return [ofAll(store, tenant), ...items.map(ofPartition)];
};

/**
 * The model of this id, and the partition it means; null for all that the key may see.
 * @throws ApiError model_not_found, also for the partition of another organization
 */
export const findModel = async (
  store: ModelStore,
  tenant: Tenant,
  id: string,
): Promise<{ model: Model; partitionId: string | null }> => {
  if (id === all) return { model: ofAll(store, tenant), partitionId: null };
  const name = id.startsWith(prefix) ? id.slice(prefix.length) : null;
  const partition = name === null ? null : await store.partitions.getByName(tenant, name);
  if (partition !== null) return { model: ofPartition(partition), partitionId: partition.id };
  throw new ApiError(
    "model_not_found",
    "There is no such model. `carrel` asks all documents, `carrel/<partition>` those of a partition; `GET /v1/models` lists them.",
    { errors: [{ path: "model", message: "names no model that this key may use" }] },
  );
};
