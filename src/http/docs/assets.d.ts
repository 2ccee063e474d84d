/** A script of the API page that `bun build --compile` puts into the binary as a file: the import is its path. */
declare module "*/standalone.js" {
  const path: string;
  export default path;
}
