/** Requests know the job that made them, so that it is not suspended while one is under way. */
import type { Activity } from './activity.ts'

/** Replaces the global fetch by one that counts. */
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
