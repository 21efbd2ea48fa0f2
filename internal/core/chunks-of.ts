/** Divides a list into parts of at most `size` items, in their order. */
export function* chunksOf<Item>(items: readonly Item[], size: number): Generator<readonly Item[]> {
  for (let at = 0; at < items.length; at += size) yield items.slice(at, at + size)
}
