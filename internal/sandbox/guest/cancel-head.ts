/** Checks the call of `ctx.cancel`. */
import { MAX_CANCEL_REASON, MAX_WORK_ID } from '#core/job/cancel-limits.ts'
import { hasNul } from '#core/nul.ts'

const refused = (message: string): Error =>
  Object.assign(new TypeError(message), { code: 'invalid' })

/** @returns undefined: the options are wrong */
const reasonOf = (options: unknown): unknown => {
  if (options === undefined) return null
  if (typeof options !== 'object' || options === null) return undefined
  const { reason = null, ...others }: Readonly<{ reason?: unknown }> = { ...options }
  return Object.keys(others).length === 0 ? reason : undefined
}

/** @throws {TypeError} */
export const cancelHead = (
  id: unknown,
  options: unknown,
): Readonly<{ target: string; reason: string | null }> => {
  if (typeof id !== 'string' || id === '' || id.length > MAX_WORK_ID || hasNul(id)) {
    throw refused(
      'ctx.cancel takes the ID of a job or a flow run, as ctx.run and ctx.startFlow return it.',
    )
  }
  const reason = reasonOf(options)
  if (reason === null) return { target: id, reason }
  if (typeof reason === 'string' && reason.trim() !== '' && reason.length <= MAX_CANCEL_REASON) {
    return { target: id, reason }
  }
  throw refused(
    `ctx.cancel takes an ID and { reason }: a text of 1 to ${MAX_CANCEL_REASON.toLocaleString('en')} characters.`,
  )
}
