import type { Schemas } from '#sdk/client.ts'
import type { Status } from '../ui/status-badge.tsx'

const SUSPENDED = {
  sleep: 'sleeping',
  event: 'waiting_event',
  job: 'waiting_job',
} as const satisfies Readonly<Record<NonNullable<Schemas['Job']['suspended']>['kind'], Status>>

/** The status to show. A suspended job is queued for the server, but for a reader it waits inside of its code. */
export const jobStatus = ({
  status,
  suspended,
}: Pick<Schemas['Job'], 'status' | 'suspended'>): Status =>
  status === 'queued' && suspended !== null ? SUSPENDED[suspended.kind] : status
