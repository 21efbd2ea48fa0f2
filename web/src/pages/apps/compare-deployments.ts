/** Compares two deployments of an app by their actions and flows. Pure. */
import type { Schemas } from '#sdk/client.ts'

export type Change = Readonly<{
  kind: 'action' | 'flow'
  key: string
  /** `manifest`: its description changed. `code`: its code or that of its imports changed. */
  how: 'added' | 'removed' | 'manifest' | 'code' | 'both'
}>

type Deployment = Pick<Schemas['DeploymentDetail'], 'manifest' | 'code'>
type Part = Readonly<{ key: string; text: string; code: string | undefined }>

const partsOf = (kind: Change['kind'], { manifest, code }: Deployment): ReadonlyMap<string, Part> =>
  new Map(
    kind === 'action'
      ? manifest.actions.map((action) => [
          action.key,
          { key: action.key, text: JSON.stringify(action), code: code[action.entrypoint] },
        ])
      : manifest.flows.map((flow) => [
          flow.key,
          { key: flow.key, text: JSON.stringify(flow), code: undefined },
        ]),
  )

const howOf = (before: Part | undefined, after: Part | undefined): Change['how'] | null => {
  if (before === undefined) return 'added'
  if (after === undefined) return 'removed'
  const isOther = before.text !== after.text
  const hasOtherCode = before.code !== after.code
  if (isOther && hasOtherCode) return 'both'
  if (isOther) return 'manifest'
  return hasOtherCode ? 'code' : null
}

export const compareDeployments = (base: Deployment, target: Deployment): readonly Change[] =>
  (['action', 'flow'] as const).flatMap((kind) => {
    const before = partsOf(kind, base)
    const after = partsOf(kind, target)
    return [...new Set([...before.keys(), ...after.keys()])].sort().flatMap((key) => {
      const how = howOf(before.get(key), after.get(key))
      return how === null ? [] : [{ kind, key, how }]
    })
  })
