/** The data of a path, as pdf.js packs it: commands, each followed by its numbers. */
export const MOVE = 0
export const LINE = 1
export const CUBIC = 2
export const QUADRATIC = 3
export const CLOSE = 4

/** How many numbers follow each command. */
export const NUMBERS: Readonly<Record<number, number>> = {
  [MOVE]: 2,
  [LINE]: 2,
  [CUBIC]: 6,
  [QUADRATIC]: 4,
  [CLOSE]: 0,
}
