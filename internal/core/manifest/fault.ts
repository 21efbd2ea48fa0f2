/** Faults of a manifest that its shape alone does not show. */

/** What a row of a manifest starts. */
export type Target = Readonly<{ kind: 'action' | 'flow'; key: string }>

export type Fault = Readonly<{
  path: readonly PropertyKey[]
  message: string
  /** What the row names, if the fault is that the app does not have it. */
  missing?: Target
}>

/** The most faults that are reported. People do not read more, and a hostile text has one for each character. */
export const MAX_FAULTS = 100

export type FaultPath = Fault['path']

/** An item of a list, with its index in the manifest. */
export type Row<T> = Readonly<{ index: number; value: T }>

/** Finds keys that occur twice in a list. @param path of the list */
export const findDoubles = (keys: readonly Row<string>[], path: FaultPath): readonly Fault[] => {
  const seen = new Set<string>()
  return keys.flatMap(({ index, value }) => {
    if (seen.has(value)) {
      return [{ path: [...path, index, 'key'], message: `the key "${value}" occurs twice` }]
    }
    seen.add(value)
    return []
  })
}

export const keysOf = (items: readonly Readonly<{ key: string }>[]): readonly Row<string>[] =>
  items.map(({ key }, index) => ({ index, value: key }))
