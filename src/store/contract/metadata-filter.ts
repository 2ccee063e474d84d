/** Metadata filter as in the API: `{key: value}` or `{key: {$in: [...], $gt: …}}`; already validated. */
export type MetadataFilter = Record<string, MetadataCondition>;
export type MetadataScalar = string | number | boolean | null;
export type MetadataCondition =
  | MetadataScalar
  | {
      $in?: MetadataScalar[];
      $ne?: MetadataScalar;
      $gt?: number | string;
      $gte?: number | string;
      $lt?: number | string;
      $lte?: number | string;
    };
