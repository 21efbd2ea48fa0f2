import { join } from 'node:path'

/** The socket through which a guest reaches the proxy, in the guest's folder. */
export const egressSocketIn = (folder: string): string => join(folder, 'egress.sock')

/** The only connection of a confined guest to the network, as the host sees it. */
export interface GuestEgress {
  /** Resets the counters. @param onExceeded called once when the job has transferred more bytes than a job is allowed */
  beginJob(onExceeded: () => void): void
  /** Closes all connections and accepts no new ones. */
  close(): void
}
