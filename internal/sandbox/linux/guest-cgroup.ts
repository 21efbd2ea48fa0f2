/** What the kernel counts and bounds one guest by (a cgroup), as its host holds it. */
export interface GuestGroup {
  /** Whether the kernel has ended a process of it for want of memory. */
  hasEndedForMemory(): boolean
  /** After the end of the guest. */
  remove(): void
}
