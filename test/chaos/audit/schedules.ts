/** Fire times of schedules with `@every`. */
import { z } from 'zod'
import type { Database } from '#store/database.ts'
import { sql } from '#store/sql.ts'
import { everyMsOf } from '../setting.ts'
import { type Finding, violationsOf } from './finding.ts'

const slotRow = z.object({
  schedule_id: z.string(),
  cron: z.string(),
  slot: z.number(),
  outcome: z.enum(['fired', 'skipped']),
  count: z.number(),
  last_slot: z.number().nullable(),
  reason: z.string().nullable(),
  job: z.string().nullable(),
})
type SlotRow = z.infer<typeof slotRow>

const lastOf = ({ slot, last_slot: last }: SlotRow): number => last ?? slot

/**
 * Fire times of one schedule that came less than one interval after the previous one. `@every` counts from the last fire,
 * so a late fire delays all later ones, and nothing between two fires is left out.
 */
const findTooSoon = (slots: readonly SlotRow[]): readonly string[] => {
  const ordered = slots.toSorted((a, b) => a.slot - b.slot)
  return ordered.flatMap((slot, at) => {
    const next = ordered[at + 1]
    if (next === undefined || next.slot >= lastOf(slot) + everyMsOf(slot.cron)) return []
    return [`${slot.schedule_id}: ${next.slot} comes less than one interval after ${lastOf(slot)}`]
  })
}

export const auditSchedules = async (db: Database): Promise<readonly Finding[]> => {
  const slots = z.array(slotRow).parse(
    await db.all(
      sql`SELECT s.schedule_id, schedules.cron, s.slot, s.outcome, s.count, s.last_slot, s.reason, jobs.id AS job
         FROM schedule_slots s JOIN schedules ON schedules.id = s.schedule_id LEFT JOIN jobs ON jobs.id = s.job_id`,
    ),
  )
  const strays = await db.all(
    sql`SELECT jobs.id FROM jobs WHERE created_by GLOB 'schedule:*'
         AND NOT EXISTS (SELECT 1 FROM schedule_slots s WHERE s.job_id = jobs.id)`,
  )
  const lasts = await db.all(
    sql`SELECT id, last_job_id FROM schedules WHERE last_job_id IS NOT NULL
         AND NOT EXISTS (SELECT 1 FROM schedule_slots s WHERE s.schedule_id = schedules.id AND s.job_id = last_job_id)`,
  )
  const skipped = slots.filter(({ outcome }) => outcome === 'skipped')
  const fired = slots.filter(({ outcome }) => outcome === 'fired')
  return [
    {
      invariant: 'I5',
      what: `${fired.length} fire times fired, each with its one job`,
      violations: [
        ...violationsOf(
          fired,
          ({ job }) => job !== null,
          (slot) => JSON.stringify(slot),
        ),
        ...strays.map(({ id }) => `the job ${id} belongs to no fire time`),
      ],
    },
    {
      invariant: 'I5',
      what: 'no fire time came less than one interval after the previous one, and each schedule names its last job',
      violations: [
        ...[...Map.groupBy(slots, ({ schedule_id: id }) => id).values()].flatMap(findTooSoon),
        ...lasts.map(
          ({ id, last_job_id: job }) => `${id} names the job ${job}, which no fire time started`,
        ),
      ],
    },
    {
      invariant: 'I6',
      what: `${skipped.reduce((sum, { count }) => sum + count, 0)} skipped fire times are recorded with their reason`,
      violations: violationsOf(
        skipped,
        ({ reason, cron, slot, count, last_slot: last }) =>
          reason !== null && last !== null && (last - slot) / everyMsOf(cron) + 1 === count,
        (slot) => JSON.stringify(slot),
      ),
    },
  ]
}
