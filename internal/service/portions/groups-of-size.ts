/** Divides a list into groups of limited size, each of which is read or written within one turn of the event loop. */

/** @returns the items in their order. A group has at least one, however large it is. */
export const groupsOfSize = <Item>(
  items: readonly Item[],
  sizeOf: (item: Item) => number,
  maxSize: number,
): readonly (readonly Item[])[] => {
  const groups: Item[][] = []
  let size = 0
  for (const item of items) {
    size += sizeOf(item)
    const last = groups.at(-1)
    if (last !== undefined && size <= maxSize) last.push(item)
    else {
      groups.push([item])
      size = sizeOf(item)
    }
  }
  return groups
}
