/** Joins the refusals of checks of one deployment that do not depend on each other, so that its author reads every fault at once. */
import { AppError, type ErrorDetail, unprocessable } from '../error.ts'
import { MAX_FAULTS } from '../manifest/fault.ts'

export interface Refusals {
  /** @param place names what was checked, for a refusal without details */
  add(place: string, refusal: AppError | null): void
  /** Returns what the check returns, or null if it refuses or another AppError keeps it from an answer. */
  keep<T>(place: string, check: () => Promise<T>): Promise<T | null>
  hasAny(): boolean
  /**
   * Ends the checks.
   * @throws {AppError} unprocessable: each fault in `details`, sorted by file, with the code of the first refusal; if nothing is
   * refused, the first error that kept a check from an answer
   */
  throwAny(): void
}

type Refusal = Readonly<{ place: string; error: AppError }>

export const collectRefusals = (): Refusals => {
  const refusals: Refusal[] = []
  const failures: AppError[] = []
  return {
    add: (place, error) => {
      if (error !== null) refusals.push({ place, error })
    },
    keep: async (place, check) => {
      try {
        return await check()
      } catch (error) {
        if (!(error instanceof AppError)) throw error
        if (error.kind === 'unprocessable') refusals.push({ place, error })
        else failures.push(error)
        return null
      }
    },
    hasAny: () => refusals.length > 0,
    throwAny: () => {
      const found = join(refusals) ?? failures[0]
      if (found !== undefined) throw found
    },
  }
}

const join = (refusals: readonly Refusal[]): AppError | undefined => {
  const [first, ...others] = refusals
  if (first === undefined) return undefined
  const { error } = first
  if (others.length === 0 && error.details === undefined) return error
  const details = refusals.flatMap(detailsOf).toSorted(byFile).slice(0, MAX_FAULTS)
  const message = others.length === 0 ? error.message : `The app has ${details.length} faults.`
  return unprocessable(message, { code: error.code, details, cause: error })
}

const detailsOf = ({ place, error }: Refusal): readonly ErrorDetail[] =>
  error.details ?? [{ path: place, message: error.message }]

const byFile = (a: ErrorDetail, b: ErrorDetail): number => {
  const [left, right] = [placeOf(a), placeOf(b)]
  if (left.file !== right.file) return left.file < right.file ? -1 : 1
  return left.line - right.line || left.column - right.column
}

const placeOf = ({ path }: ErrorDetail) => {
  const [, file = path, line, column] = /^(.+?):(\d+):(\d+)/.exec(path) ?? []
  return { file, line: Number(line ?? 0), column: Number(column ?? 0) }
}
