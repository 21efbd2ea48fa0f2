/** Apps, their host names and actions, as endpoints return them. */
import { DEFAULT_CANCEL_GRACE_S } from '#core/action/definition.ts'
import { txtNameOf } from '#core/function/host-proof.ts'
import type { OwnHosts } from '#core/function/own-hosts.ts'
import type { App, CurrentAction } from '#store/apps/apps.ts'
import type { Deployment } from '#store/apps/deployments.ts'
import type { HostClaim } from '#store/apps/hosts.ts'

/** A claim on a name of svc itself has no effect, even if an earlier version stored it as proven. */
export const toHost = ({ host, txtValue, proof }: HostClaim, { isReserved }: OwnHosts) => ({
  host,
  status: proof === null || isReserved(host) ? ('pending' as const) : ('active' as const),
  txtName: txtNameOf(host),
  txtValue,
})

export const toAppDetail = (row: App, claims: readonly HostClaim[], ownHosts: OwnHosts) => ({
  ...row,
  hosts: claims.map((claim) => toHost(claim, ownHosts)),
})

export const toAction = ({ definition, tagOverride, defaultTag }: CurrentAction) => ({
  ...definition,
  cancelGraceS: definition.cancelGraceS ?? DEFAULT_CANCEL_GRACE_S,
  tag: tagOverride ?? definition.tag ?? defaultTag,
  tagOverride,
})

export const toDeployment = (row: Deployment) => ({ ...row, deploymentId: row.id })
