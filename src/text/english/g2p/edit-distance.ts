/** How many items have to be added, removed or replaced to turn one list into the other. */
export function editDistance<Item>(a: readonly Item[], b: readonly Item[]): number {
  let row = b.map((_, index) => index + 1);
  a.forEach((x, i) => {
    let diagonal = i;
    let left = i + 1;
    row = row.map((above, j) => {
      left = Math.min(above + 1, left + 1, diagonal + (x === b[j] ? 0 : 1));
      diagonal = above;
      return left;
    });
  });
  return row.at(-1) ?? a.length;
}
