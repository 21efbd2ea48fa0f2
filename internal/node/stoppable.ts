/** A part of a node that was started. */
export type Stoppable = Readonly<{ stop: () => Promise<void> }>
