import type * as Arrow from "apache-arrow";

/**
 * Arrow as LanceDB loads it. By `import` there would be a second copy beside it, whose tables LanceDB takes for foreign
 * ones and builds anew, value by value, before it writes them.
 */
const arrow: typeof Arrow = require("apache-arrow");

export const {
  Bool,
  DataType,
  Field,
  FixedSizeList,
  Float32,
  Float64,
  Int32,
  List,
  makeData,
  RecordBatch,
  Schema,
  Struct,
  Table,
  Utf8,
  vectorFromArray,
} = arrow;
