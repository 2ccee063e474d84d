/** A script of the API page, embedded in the binary as a file by `bun build --compile`: the import is its path. */
declare module "*/standalone.js" {
  const path: string;
  export default path;
}
