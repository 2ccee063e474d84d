import type * as Arrow from "apache-arrow";

/**
 * The copy of Arrow that LanceDB loads. `import` would load a second copy: LanceDB does not recognize its tables, and
 * copies them value by value before it writes them.
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
