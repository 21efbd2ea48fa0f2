/** Counts each request for the job that made it, so that the job is not suspended while the request is open. */
import type { Activity } from './activity.ts'

/** Replaces the global fetch with one that counts. */
export const ownFetch = (owner: () => Readonly<{ activity: Activity }> | undefined): void => {
  const { fetch: native } = globalThis
  const counted: typeof native = async (...request) => {
    const end = owner()?.activity.beginRequest()
    try {
      return await native(...request)
    } finally {
      end?.()
    }
  }
  Object.defineProperty(globalThis, 'fetch', {
    value: counted,
    writable: true,
    configurable: true,
  })
}
