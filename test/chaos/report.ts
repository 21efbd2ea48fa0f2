/** Prints a chaos run as two tables: the faults and responses, and the findings. */
import { printFindings } from './audit/finding.ts'
import type { ChaosReport } from './chaos.ts'
import { FAULTS } from './nemesis.ts'

export const printReport = ({ faults, possible, answers, findings }: ChaosReport): string => {
  const done = FAULTS.map((fault) => {
    const isPossible = possible.includes(fault)
    return `  ${fault.padEnd(16)} ${isPossible ? String(faults[fault]).padStart(6) : '     – (not here)'}`
  })
  const heard = [...answers.byStatus]
    .toSorted(([a], [b]) => a - b)
    .map(([status, count]) => `${count} × ${status || 'no answer'}`)
  return `${[...done, `  answers: ${heard.join(', ')}`, printFindings(findings)].join('\n')}\n`
}
