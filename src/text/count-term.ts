/** How often a term occurs in a list of terms separated by single spaces. */
export const countTerm = (terms: string, term: string): number => {
  let count = 0;
  for (let at = terms.indexOf(term); at >= 0; at = terms.indexOf(term, at + term.length)) {
    const end = at + term.length;
    const isWordStart = at === 0 || terms.charCodeAt(at - 1) === 32;
    if (isWordStart && (end === terms.length || terms.charCodeAt(end) === 32)) count++;
  }
  return count;
};
