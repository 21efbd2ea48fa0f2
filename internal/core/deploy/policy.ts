/**
 * What the operator lets a manifest request [jobs 1.3, 10.3]. The manifest's own rules are in action/definition.ts; these rules
 * depend on the instance and the workspace, so the caller passes them in.
 */
import type { ActionDefinition } from '../action/definition.ts'
import type { Fault } from '../manifest/fault.ts'
import { type EgressGrant, notGranted, ungrantedEntries } from '../network/egress-grant.ts'
import { isTagAllowed, notAllowedHere } from '../placement/tag-policy.ts'

export type DeployPolicy = Readonly<{
  /** SVC_JOB_MAX_MEMORY_MB, in MiB. */
  maxMemoryMb: number
  /** SVC_JOB_MAX_TIMEOUT_S, in seconds. */
  maxTimeoutS: number
  /** Tags that the workspace may use; null for any. */
  allowedTags: readonly string[] | null
  /** Private destinations that the instance and the workspace grant [jobs 16]. */
  granted: readonly EgressGrant[]
}>

/** What a row requests; null for nothing. */
type PlacedRequest = Readonly<{
  index: number
  value: Readonly<{
    memoryMb: number | null
    timeoutS: number | null
    tag: string | null
    network: readonly string[] | null
  }>
}>

/**
 * Lowers the default of `timeoutS` to the cap, because an action that names no `timeoutS` requests none. @param row as written
 */
export const withCappedDefaults = (
  action: ActionDefinition,
  row: unknown,
  { maxTimeoutS }: DeployPolicy,
): ActionDefinition => {
  const isNamed = typeof row === 'object' && row !== null && Object.hasOwn(row, 'timeoutS')
  return isNamed ? action : { ...action, timeoutS: Math.min(action.timeoutS, maxTimeoutS) }
}

/** @returns a fault for each field of an action that requests more than the policy allows */
export const findPolicyFaults = (
  actions: readonly PlacedRequest[],
  { maxMemoryMb, maxTimeoutS, allowedTags, granted }: DeployPolicy,
): readonly Fault[] =>
  actions.flatMap(({ index, value: { memoryMb, timeoutS, tag, network } }) => {
    const faults: Fault[] = []
    const add = (field: string, message: string): void => {
      faults.push({ path: ['actions', index, field], message })
    }
    if (memoryMb !== null && memoryMb > maxMemoryMb) {
      add(
        'memoryMb',
        `must be at most ${maxMemoryMb}, the cap SVC_JOB_MAX_MEMORY_MB of this instance`,
      )
    }
    if (timeoutS !== null && timeoutS > maxTimeoutS) {
      add(
        'timeoutS',
        `must be at most ${maxTimeoutS}, the cap SVC_JOB_MAX_TIMEOUT_S of this instance`,
      )
    }
    if (tag !== null && !isTagAllowed(tag, allowedTags)) {
      add('tag', notAllowedHere(tag, allowedTags ?? []).replace(/\.$/, ''))
    }
    const ungranted = new Set(ungrantedEntries(network ?? [], granted))
    for (const [at, entry] of (network ?? []).entries()) {
      if (!ungranted.has(entry)) continue
      faults.push({ path: ['actions', index, 'network', at], message: notGranted(entry) })
    }
    return faults
  })
