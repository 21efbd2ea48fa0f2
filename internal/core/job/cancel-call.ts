/** The rule of `ctx.cancel`: what a job or a function may cancel [jobs 15.10]. */
import { AppError } from '../error.ts'

/** One call, as it leaves the job. */
export type CancelCall = Readonly<{
  /** The id of a job or a flow run. */
  id: string
  /** Null if the script gave none. */
  reason: string | null
}>

type Acting = Readonly<{ permissionedAs: string }>

/** A script cancels only what runs as the same account as itself, because an id may come from an input. */
export const mayCancelFromWork = (caller: Acting, work: Acting): boolean =>
  caller.permissionedAs === work.permissionedAs

/** The same for the work of others, so that a script learns no ids. */
export const nothingToCancel = ({ permissionedAs }: Acting): AppError =>
  new AppError(
    'not_found',
    `There is no job or flow run with this ID that runs as ${permissionedAs}.`,
    { code: 'nothing_to_cancel' },
  )
