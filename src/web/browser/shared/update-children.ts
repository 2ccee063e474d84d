/**
 * Makes the children of a place those of `wanted`. Children that are the same stay as they are, so that the focus, a
 * selection and what a screen reader has read survive while a text grows.
 */
export const updateChildren = (place: Element, wanted: DocumentFragment): void => {
  const nodes = [...wanted.childNodes];
  for (const [at, node] of nodes.entries()) {
    const old = place.childNodes[at];
    if (old === undefined) place.append(node);
    else if (!old.isEqualNode(node)) old.replaceWith(node);
  }
  while (place.childNodes.length > nodes.length) place.lastChild?.remove();
};
