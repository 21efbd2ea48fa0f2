/** Groups the fire times of a schedule by day in its time zone. Pure. */
import type { Schemas } from '#sdk/client.ts'
import { DAY_MS } from '../language/units.ts'
import { dayInZone } from './zone-time.ts'

type Slot = Pick<Schemas['ScheduleSlot'], 'slot' | 'outcome' | 'last_slot' | 'count' | 'reason'>

export type SlotDay = Readonly<{
  /** `2026-11-21` */
  day: string
  fired: number
  skipped: number
  reasons: readonly string[]
}>

const noon = (day: string): number => Date.parse(`${day}T12:00:00Z`)
const dayOf = (at: number): string => new Date(at).toISOString().slice(0, 10)

/** Days from one to the other, both inclusive. */
export const daysBetween = (from: string, to: string): readonly string[] => {
  const days = Math.round((noon(to) - noon(from)) / DAY_MS)
  return Array.from({ length: Math.max(0, days) + 1 }, (_, at) => dayOf(noon(from) + at * DAY_MS))
}

/** The last days up to today, oldest first. */
export const lastDays = (today: string, count: number): readonly string[] =>
  daysBetween(dayOf(noon(today) - (count - 1) * DAY_MS), today)

/** The days on which an entry is shown. An entry of skipped fire times may span several days. */
export const daysOfSlot = (slot: Slot, zone: string): readonly string[] => {
  const first = dayInZone(slot.slot, zone)
  return slot.last_slot === null ? [first] : daysBetween(first, dayInZone(slot.last_slot, zone))
}

/**
 * Groups the entries by day. An entry of several skipped fire times is
 * counted on its first day, and shown on all of its days.
 * @param days in ascending order
 */
export const slotDays = (
  slots: readonly Slot[],
  days: readonly string[],
  zone: string,
): readonly SlotDay[] => {
  const found = new Map(days.map((day) => [day, { day, fired: 0, skipped: 0, reasons: [''] }]))
  for (const slot of slots) {
    for (const [at, day] of daysOfSlot(slot, zone).entries()) {
      const known = found.get(day)
      if (known === undefined) continue
      if (slot.outcome === 'fired') known.fired += 1
      else if (slot.outcome === 'skipped') known.skipped += at === 0 ? slot.count : 1
      if (slot.reason !== null && !known.reasons.includes(slot.reason)) {
        known.reasons.push(slot.reason)
      }
    }
  }
  return [...found.values()].map((day) => ({ ...day, reasons: day.reasons.slice(1) }))
}
