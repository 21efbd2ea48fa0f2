/** Checks whether a push may change refs as it requests, given what they are now. */
import { unprocessable } from '#core/error.ts'
import { limit } from '#core/limit.ts'
import type { RefUpdate } from '#git/http-backend.ts'
import { DEFAULT_BRANCH } from '#git/push-repository.ts'
import { afterUpdates, isNone, type Refs } from '#git/repository-refs.ts'

const REF = /^refs\/(?:heads|tags)\//
/** Names that are not UTF-8 have arrived with replacement characters, so two of them may look alike. */
const UNREADABLE = /[\s\ufffd]/
const MAX_REFS_LENGTH = limit(
  'push.all_refs',
  1_048_576,
  'characters',
  'Names of the refs of one repository together, with their object ids. More: the push is refused.',
)

/** @throws {AppError} unprocessable: a ref has changed, or may not change in this way */
export const checkUpdates = (updates: readonly RefUpdate[], refs: Refs): void => {
  for (const update of updates) checkUpdate(update, refs.get(update.ref) ?? null)
  const after = afterUpdates(refs, updates)
  checkNames(after)
  const entries = [...after]
  const length = entries.reduce((sum, [ref, oid]) => sum + ref.length + oid.length, 0)
  if (length <= MAX_REFS_LENGTH) return
  throw unprocessable('The repository has too many branches and tags. Delete some.', {
    code: 'too_many_refs',
  })
}

/** @throws {AppError} unprocessable */
const checkUpdate = ({ ref, old, new: next }: RefUpdate, current: string | null): void => {
  if (!REF.test(ref)) {
    throw unprocessable(`${ref} is neither a branch nor a tag.`, { code: 'bad_ref' })
  }
  if (UNREADABLE.test(ref)) {
    throw unprocessable(`${ref} is not UTF-8 or contains a space. Rename it.`, { code: 'bad_ref' })
  }
  if ((isNone(old) ? null : old) !== current) {
    throw unprocessable(`${ref} has changed since you fetched it. Fetch, then push again.`, {
      code: 'stale_ref',
    })
  }
  if (ref === DEFAULT_BRANCH && isNone(next)) {
    throw unprocessable('The branch main is what runs and cannot be deleted. Delete the app.', {
      code: 'default_branch',
    })
  }
}

/** A ref is a file in git, so no ref can be below the name of another. @throws {AppError} unprocessable */
const checkNames = (refs: Refs): void => {
  for (const ref of refs.keys()) {
    for (let slash = ref.indexOf('/'); slash >= 0; slash = ref.indexOf('/', slash + 1)) {
      const above = ref.slice(0, slash)
      if (!refs.has(above)) continue
      throw unprocessable(`${ref} cannot be next to ${above}. Rename one of them.`, {
        code: 'bad_ref',
      })
    }
  }
}
