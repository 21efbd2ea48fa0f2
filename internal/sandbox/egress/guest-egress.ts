/** The one way to the network that a guest behind walls has, as its host holds it. */
export interface EgressDoor {
  /** Counts anew from here. @param onExceeded called once when the job has carried more than a job may */
  beginJob(onExceeded: () => void): void
  /** Cuts what is open and lets nobody in. */
  close(): void
}
