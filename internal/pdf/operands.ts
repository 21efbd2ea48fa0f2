/** Reads the operands of drawing operators, whose types pdf.js does not state. */

export const toArray = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [])

/** @returns 0 for anything but a finite number */
export const toNumber = (value: unknown): number =>
  typeof value === 'number' && Number.isFinite(value) ? value : 0
