/** The control group of one guest, which limits its memory and its number of threads. */
export interface GuestCgroup {
  /** Whether the kernel killed a process of the group because it reached the memory limit. */
  hasEndedForMemory(): boolean
  /** Removes the group. Call it after the guest has ended. */
  remove(): void
}
