/**
 * What a newer svc wrote and this one cannot read: a kind of step, a field of a flow. While a rolling upgrade replaces nodes
 * one by one, older nodes leave it to newer ones [wire 9.6].
 */
import { AppError, unavailable } from './error.ts'

const CODE = 'newer_svc'

/** @param what the subject of the sentence, for example `The flow of this run` */
export const writtenByNewer = (what: string, cause: unknown): AppError =>
  unavailable(
    `${what} cannot be read by this node: a newer svc wrote it, or it is damaged. Upgrade this node.`,
    { code: CODE, cause },
  )

const isWrittenByNewer = (error: unknown): boolean =>
  error instanceof AppError && error.code === CODE

/** Does the work, or leaves it to a newer node. @returns `left` if this node cannot read it */
export const unlessNewer = async <T, L>(work: () => Promise<T>, left: L): Promise<T | L> => {
  try {
    return await work()
  } catch (error) {
    if (isWrittenByNewer(error)) return left
    throw error
  }
}
