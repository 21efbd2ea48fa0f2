/**
 * Compares the actions, flows, webhooks, schedules, events and functions of two deployments of an app, each by its key. Pure.
 */

export const PART_KINDS = ['action', 'flow', 'webhook', 'schedule', 'event', 'function'] as const
export type PartKind = (typeof PART_KINDS)[number]
export type Part = Readonly<{ kind: PartKind; key: string }>

/** The parts of an app. */
export type AppParts = Readonly<
  Record<
    PartKind,
    /** By key, a text that differs if the part differs. */
    ReadonlyMap<string, string>
  >
>

export type DeploymentChanges = Readonly<{
  added: readonly Part[]
  changed: readonly Part[]
  removed: readonly Part[]
}>

export const compareParts = (before: AppParts, after: AppParts): DeploymentChanges => {
  const pick = (isWanted: (old: string | undefined, now: string | undefined) => boolean) =>
    PART_KINDS.flatMap((kind) => {
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
  webhooks: readonly Readonly<{ key: string }>[]
  schedules: readonly Readonly<{ key: string }>[]
  events: readonly Readonly<{ name: string }>[]
}>

export type PartSources = Readonly<{
  manifest: ManifestParts
  /** By entry point. */
  bundleHashes: ReadonlyMap<string, string>
  /** By name. */
  functionHashes: ReadonlyMap<string, string>
}>

const toTexts = (parts: readonly Readonly<{ key: string }>[]): ReadonlyMap<string, string> =>
  new Map(parts.map((part) => [part.key, JSON.stringify(part)]))

/** All that one event starts is one part, under the name of the event. */
const eventTexts = (events: readonly Readonly<{ name: string }>[]): ReadonlyMap<string, string> =>
  new Map(
    [...Map.groupBy(events, ({ name }) => name)].map(([name, all]) => [name, JSON.stringify(all)]),
  )

export const partsOf = ({ manifest, bundleHashes, functionHashes }: PartSources): AppParts => ({
  action: new Map(
    manifest.actions.map((action) => [
      action.key,
      `${JSON.stringify(action)} ${bundleHashes.get(action.entrypoint)}`,
    ]),
  ),
  flow: toTexts(manifest.flows),
  webhook: toTexts(manifest.webhooks),
  schedule: toTexts(manifest.schedules),
  event: eventTexts(manifest.events),
  function: functionHashes,
})
