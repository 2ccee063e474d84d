import { type ComponentChildren, options } from "preact";
import { useMemo } from "preact/hooks";
import { LocationProvider, useLocation } from "preact-iso";
import { at, prefix } from "./prefix.ts";

/**
 * Has `href` and `src` of every element lead to this server's paths under the prefix: views name them without it, and one
 * that forgot it would be noticed behind a proxy only. Call it before the first element is made.
 *
 * @returns false where the page was opened without the prefix, beside the proxy, and is opened again with it
 */
export const keepUnderPrefix = (): boolean => {
  if (prefix === "") return true;
  const before = options.vnode;
  options.vnode = (node) => {
    if (typeof node.type === "string") leadUnderPrefix(node.props as Record<string, unknown>);
    before?.(node);
  };
  const { pathname, search, hash } = location;
  if (at(pathname) === pathname) return true;
  location.replace(at(pathname) + search + hash);
  return false;
};

const leadUnderPrefix = (attributes: Record<string, unknown>): void => {
  for (const name of ["href", "src"]) {
    const address = attributes[name];
    if (typeof address === "string" && /^\/(?!\/)/.test(address)) attributes[name] = at(address);
  }
};

/**
 * Where a page's views are: inside, `useLocation` gives and takes paths without the prefix.
 * @param scope paths that are views, from their beginning; for others the browser follows the link
 */
export const Places = ({ scope, children }: { scope: RegExp; children: ComponentChildren }) => {
  const beginning = `^${prefix.replaceAll(".", "\\.")}`;
  return (
    <LocationProvider scope={new RegExp(scope.source.replace(/^\^/, beginning))}>
      <WithoutPrefix>{children}</WithoutPrefix>
    </LocationProvider>
  );
};

const WithoutPrefix = ({ children }: { children: ComponentChildren }) => {
  const place = useLocation();
  const inside = useMemo(
    () => ({
      ...place,
      url: rest(place.url),
      path: rest(place.path),
      route: (path: string, replace?: boolean) => place.route(at(path), replace),
    }),
    [place],
  );
  return <LocationProvider.ctx.Provider value={inside}>{children}</LocationProvider.ctx.Provider>;
};

const rest = (path: string): string => path.slice(prefix.length).replace(/^(?!\/)/, "/");
