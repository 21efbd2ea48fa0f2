/** The status of a flow run as the console shows it. Pure. */
import type { Schemas } from '#sdk/client.ts'

type Run = Pick<Schemas['FlowRun'], 'status' | 'waiting_for'>

/** A run that waits for a concurrency slot is `running` in the API, although nothing of it runs. */
export const shownStatus = ({ status, waiting_for }: Run): Run['status'] | 'queued' =>
  // older servers have no such field
  waiting_for == null ? status : 'queued'
