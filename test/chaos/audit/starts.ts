/** Starts of nodes that were given up. A node that waits only for itself must be ready in time. */
import type { FaultLog } from '../fault-log.ts'
import type { GivenUpStart } from '../nodes.ts'
import type { Finding } from './finding.ts'
import type { AuditInput } from './input.ts'

/** A start takes about two seconds on a quiet machine. Database and machine may be unavailable for a part of the time. */
const MOST_UNDISTURBED_S = 20

/** Seconds of the start without a fault of database or machine. */
const undisturbedSeconds = (faults: FaultLog, { from, until }: GivenUpStart): number => {
  const spans = faults
    .hit('', from, until)
    .map((span) => ({ from: Math.max(span.from, from), until: Math.min(span.until, until) }))
    .toSorted((a, b) => a.from - b.from)
  let ms = until - from
  let covered = from
  for (const span of spans) {
    ms -= Math.max(span.until - Math.max(span.from, covered), 0)
    covered = Math.max(covered, span.until)
  }
  return ms / 1_000
}

/** Judged only in long runs. A short one is part of the test suite, whose machine may be busy with other work. */
export const auditStarts = ({ faults, givenUpStarts, isShort }: AuditInput): Finding => {
  const hanging = givenUpStarts
    .map((start) => ({ ...start, seconds: undisturbedSeconds(faults, start) }))
    .filter(({ seconds }) => seconds > MOST_UNDISTURBED_S)
  return {
    invariant: 'I9',
    what: `of ${givenUpStarts.length} starts that were broken off after half a minute none had ${MOST_UNDISTURBED_S} s without a fault of database or machine`,
    violations: isShort
      ? []
      : hanging.map(
          ({ name, from, seconds, state }) =>
            `${name} from ${new Date(from).toISOString()}, undisturbed for ${seconds.toFixed(1)} s; ${state}`,
        ),
  }
}
