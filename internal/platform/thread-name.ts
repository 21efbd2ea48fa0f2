/** The programs that run on a thread of their own. cmd/build bundles each for the binary. */
export const THREAD_NAMES = ['lease'] as const
export type ThreadName = (typeof THREAD_NAMES)[number]
