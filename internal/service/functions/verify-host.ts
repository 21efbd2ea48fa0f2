/** Looks up the TXT record by which a workspace proves that it owns a host name [functions 8]. */
import type { Actor } from '#core/access/actor.ts'
import type { AppAddress } from '#core/app-address.ts'
import { type AppError, notFound } from '#core/error.ts'
import { isProven, txtNameOf } from '#core/function/host-proof.ts'
import { hostNameOf } from '#core/function/own-hosts.ts'
import type { LookUpTxt } from '#outbound/look-up-txt.ts'
import {
  type HostClaim,
  listHostClaims,
  proveHosts,
  releaseUnprovenHosts,
} from '#store/apps/hosts.ts'
import { audited } from '../audited.ts'
import { type HostDeps, hostReserved, hostTaken, requireFree } from './set-hosts.ts'

export type VerifyRequest = AppAddress & Readonly<{ host: string; actor: Actor }>

export type Verified = Readonly<{
  claim: HostClaim
  /** What the user has to do; null when the name is active. */
  problem: string | null
}>

export type VerifyDeps = HostDeps & Readonly<{ lookUpTxt: LookUpTxt }>

/** Verifies a name. @throws {AppError} not_found; conflict `host_reserved`, `host_taken`: another app proved it first */
export const verifyHost = async (deps: VerifyDeps, request: VerifyRequest): Promise<Verified> => {
  const host = hostNameOf(request.host)
  const claim = await findClaim(deps, request, host)
  if (deps.ownHosts.isReserved(host)) throw hostReserved(host)
  if (claim.proof === 'dns' || claim.proof === 'operator') return { claim, problem: null }
  const problem = await findProblem(deps, claim)
  if (problem !== null) return { claim, problem }
  await requireFree(deps, claim)
  await prove(deps, claim, request.actor)
  const now = await findClaim(deps, request, host)
  if (now.proof !== 'dns' && now.proof !== 'operator') throw hostTaken(host)
  return { claim: now, problem: null }
}

const findClaim = async (
  { db }: Pick<VerifyDeps, 'db'>,
  { ws, app }: AppAddress,
  host: string,
): Promise<HostClaim> => {
  const claims = await listHostClaims(db, { ws, app })
  const claim = claims.find((each) => each.host === host)
  if (claim === undefined) throw unknownHost(host, app)
  return claim
}

const unknownHost = (host: string, app: string): AppError =>
  notFound(`Host name "${host.slice(0, 253)}" of app "${app}"`, { code: 'host_not_found' })

/** Returns null when the record is there. */
const findProblem = async (
  { lookUpTxt }: Pick<VerifyDeps, 'lookUpTxt'>,
  { host, txtValue }: HostClaim,
): Promise<string | null> => {
  const name = txtNameOf(host)
  const answer = await lookUpTxt(name)
  if (answer.kind === 'silent') {
    return `No name server answered for ${name}. Try again shortly.`
  }
  if (isProven(answer.records, txtValue)) return null
  return answer.records.length === 0
    ? `There is no TXT record at ${name} yet. A new record may take some minutes to appear.`
    : `The TXT record at ${name} has another value.`
}

const prove = async (
  { db, newId }: Pick<VerifyDeps, 'db' | 'newId'>,
  { ws, app, host }: HostClaim,
  actor: Actor,
): Promise<void> => {
  const target = { ws, app }
  await db.write([
    releaseUnprovenHosts(target, [host]),
    proveHosts(target, [host], 'dns'),
    audited({ newId }, { ws, actor }, 'app.host_verified', `${app}/${host}`),
  ])
}
