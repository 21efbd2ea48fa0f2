/** Limits that a user can reach. docs/limits.md lists them; limits that an operator sets are in config/schema.ts. */
export type LimitUnit =
  | 'bytes'
  | 'characters'
  | 'digits'
  | 's'
  | 'ms'
  | 'won'
  | 'days'
  | 'times'
  | 'levels'
  | 'items'

/**
 * Declares a limit. cmd/build/generate-limits.ts reads the calls in the source, so all arguments are literals; a value may
 * be a product of literals.
 * @param _name unique: the section of the page, a dot, and a name within it
 * @param _sentence what is limited, and what a user sees beyond it
 * @returns `value`, in `_unit`
 */
export const limit = (
  _name: `${string}.${string}`,
  value: number,
  _unit: LimitUnit,
  _sentence: string,
): number => value
