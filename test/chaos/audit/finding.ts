/** The result of the audit for one invariant (I1 to I18 in docs/reliability.md). */

export type Finding = Readonly<{
  invariant: string
  what: string
  /** Empty if the invariant holds. */
  violations: readonly string[]
}>

/** Maximum number of violations to print. */
const SHOWN = 5

export const isBroken = ({ violations }: Finding): boolean => violations.length > 0

/** @returns a description of each value that is not fine */
export const violationsOf = <T>(
  values: Iterable<T>,
  isFine: (value: T) => boolean,
  describe: (value: T) => string,
): readonly string[] => [...values].filter((value) => !isFine(value)).map(describe)

export const printFindings = (findings: readonly Finding[]): string =>
  findings
    .map((finding) => {
      const { invariant, what, violations } = finding
      const head = `${isBroken(finding) ? 'FAIL' : 'ok  '} ${invariant.padEnd(4)} ${what}`
      const rest = violations.length - SHOWN
      const shown = violations.slice(0, SHOWN).map((text) => `       ${text}`)
      return [head, ...shown, ...(rest > 0 ? [`       and ${rest} more`] : [])].join('\n')
    })
    .join('\n')
