/** The control group of one guest, which limits its memory and its number of threads. */
export interface GuestCgroup {
  /** Whether the kernel has killed a process of it because it reached the memory limit. */
  hasEndedForMemory(): boolean
  /** Call it after the end of the guest. */
  remove(): void
}
