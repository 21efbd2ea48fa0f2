/** What a deployment would change of an app: its actions, flows and functions, each by its key. Pure. */

export type PartKind = 'action' | 'flow' | 'function'
export type Part = Readonly<{ kind: PartKind; key: string }>

/** What an app is made of. */
export type AppParts = Readonly<
  Record<
    PartKind,
    /** By key, a text that is another one when the part is. */
    ReadonlyMap<string, string>
  >
>

export type DeploymentChanges = Readonly<{
  added: readonly Part[]
  changed: readonly Part[]
  removed: readonly Part[]
}>

const KINDS: readonly PartKind[] = ['action', 'flow', 'function']

export const compareParts = (before: AppParts, after: AppParts): DeploymentChanges => {
  const pick = (isWanted: (old: string | undefined, now: string | undefined) => boolean) =>
    KINDS.flatMap((kind) => {
      const keys = new Set([...before[kind].keys(), ...after[kind].keys()])
      return [...keys]
        .sort()
        .filter((key) => isWanted(before[kind].get(key), after[kind].get(key)))
        .map((key) => ({ kind, key }))
    })
  return {
    added: pick((old, now) => old === undefined && now !== undefined),
    changed: pick((old, now) => old !== undefined && now !== undefined && old !== now),
    removed: pick((old, now) => old !== undefined && now === undefined),
  }
}

type ManifestParts = Readonly<{
  actions: readonly Readonly<{ key: string; entrypoint: string }>[]
  flows: readonly Readonly<{ key: string }>[]
}>

export type PartSources = Readonly<{
  manifest: ManifestParts
  /** By entry point. */
  bundleHashes: ReadonlyMap<string, string>
  /** By name. */
  functionHashes: ReadonlyMap<string, string>
}>

export const partsOf = ({ manifest, bundleHashes, functionHashes }: PartSources): AppParts => ({
  action: new Map(
    manifest.actions.map((action) => [
      action.key,
      `${JSON.stringify(action)} ${bundleHashes.get(action.entrypoint)}`,
    ]),
  ),
  flow: new Map(manifest.flows.map((flow) => [flow.key, JSON.stringify(flow)])),
  function: functionHashes,
})
