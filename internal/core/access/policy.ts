/**
 * What a caller may do beyond the scope of a route. Scopes open routes (http); these functions decide about a single job, run,
 * token or option. A function `may…` returns the decision; one that begins with `require` throws the refusal that callers see.
 */
import { type AppError, forbidden, notFound } from '../error.ts'
import { customerOf, isPerson, type Principal, scopesOf } from './principal.ts'
import { allows, type GrantedScope } from './scope.ts'

/** A job or flow run. */
type Created = Readonly<{ createdBy: string }>

/** Whether the caller holds `*` or the exact scope; false for credentials without scopes. */
export const holdsScope = (principal: Principal, scope: GrantedScope): boolean =>
  allows(scopesOf(principal), scope)

/** Whether the caller acts as admin in the workspace of its route. */
const isAdminHere = (principal: Principal): boolean =>
  isPerson(principal) && (principal.isAdmin || principal.isSuperAdmin)

const createdOrAdministers = (principal: Principal, { createdBy }: Created): boolean =>
  isAdminHere(principal) || principal.identity === createdBy

/** The input of a job is shown to its creator and to admins [access 4.3]. */
export const maySeeInput = createdOrAdministers

/** A member cancels only jobs and runs that they created; an admin cancels any [access 4.3]. */
export const mayCancel = (principal: Principal, work: Created): boolean =>
  isPerson(principal) && createdOrAdministers(principal, work)

/** A replay uses the input of the job, so it is for those who may see the input [access 4.3]. */
export const mayReplay = mayCancel

/** A caller who may replay a failed job may also decide that nothing more is to be done [access 4.3]. */
export const mayDismiss = mayCancel

/** Returns whose jobs an operation on many jobs affects: a member's own, or null for an admin, who affects all [access 4.3]. */
export const operationCreator = (principal: Principal): string | null =>
  isAdminHere(principal) ? null : principal.identity

/** Whether the caller is a super admin; a token needs the scope `*` too [access 3.6]. */
export const mayAdministerInstance = (principal: Principal): boolean =>
  isOperator(principal) && holdsScope(principal, '*')

/** Whether the caller is a super admin, whatever the scopes of the credential. */
export const isOperator = (principal: Principal): boolean =>
  isPerson(principal) && principal.isSuperAdmin

/** A session may list the workspaces of its person, whatever the role in each; a token needs a scope [access 3.9]. */
export const mayListOwnWorkspaces = (principal: Principal): boolean =>
  principal.kind === 'session' || holdsScope(principal, 'workspace:read')

/** Only a caller who acts as admin may create tokens that act as admin [access 5.2]. */
export const mayCreateAdminToken = isAdminHere

/** Members of a workspace choose where and when a job runs; its customers do not [access 11.7]. */
export const mayChooseQueue = (principal: Principal): boolean => customerOf(principal) === null

type QueueOptions = Readonly<{ tag?: string | undefined; priority?: number | undefined }>

/** @throws {AppError} forbidden `customer_key` */
export const requireQueueChoice = (principal: Principal, options: QueueOptions): void => {
  const choosesNothing = options.tag === undefined && options.priority === undefined
  if (choosesNothing || mayChooseQueue(principal)) return
  throw forbidden('With a customer key a run takes neither `tag` nor `priority`.', {
    code: 'customer_key',
  })
}

/**
 * Builds the refusal for a job that the caller may not read. A customer key gets the same error for jobs of others and for ids
 * that do not exist, so that it cannot find out which ids exist [access 11.6].
 */
export const unreadableJob = (principal: Principal): AppError =>
  customerOf(principal) === null
    ? notFound('Job')
    : forbidden('A customer key reads its own jobs only.', { code: 'customer_key' })

/**
 * Returns the row that was found for an id, if the caller may read it. A customer key reads only the jobs of its customer.
 * @throws {AppError} not_found; forbidden for a customer key
 */
export const requireReadableJob = <Row extends Readonly<{ customerId: string | null }>>(
  principal: Principal,
  row: Row | null,
): Row => {
  const customerId = customerOf(principal)
  if (row === null || (customerId !== null && row.customerId !== customerId)) {
    throw unreadableJob(principal)
  }
  return row
}
