/** The only connection of a confined guest to the network, seen from the host. */
export interface GuestEgress {
  /** Resets the counters. @param onExceeded called once when the job has transferred more bytes than a job may */
  beginJob(onExceeded: () => void): void
  /** Cuts all connections and accepts no new one. */
  close(): void
}
