/** The programs that run on a separate thread, by path below internal/. cmd/build bundles each for the binary. */
export const THREAD_SOURCES = {
  lease: 'worker/lease-thread.ts',
  deadline: 'sandbox/host/deadline-thread.ts',
  replica: 'store/backends/replica-thread.ts',
  migrationBackup: 'store/maintenance/migration-backup-thread.ts',
  manifest: 'service/deploy/manifest-thread.ts',
} as const
export type ThreadName = keyof typeof THREAD_SOURCES

/** The asset of the binary with the program of a thread. */
export const threadFile = (name: string): string => `${name}-thread.js`
