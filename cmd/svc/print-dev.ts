/** Prints the webhooks, schedules and events of a folder's app.yaml for `svc dev`. */
import type { Manifest } from '#core/manifest/manifest.ts'
import { hookPath, missingSecrets, unverified } from '#project/dev-routes.ts'
import { type DevFire, nextFireOf } from '#project/dev-schedules.ts'
import { coloured, printLine } from './print.ts'

type Target = Readonly<{ action?: string | undefined; flow?: string | undefined }>

const targetText = ({ action, flow = '' }: Target): string =>
  action === undefined ? `flow ${flow}` : `action ${action}`

/** The time in the time zone; seconds are shown only if they are not zero. */
const timeText = (at: number, timeZone: string): string =>
  new Intl.DateTimeFormat('sv-SE', {
    timeZone,
    dateStyle: 'short',
    timeStyle: at % 60_000 < 1_000 ? 'short' : 'medium',
  }).format(at)

const webhookLines = (
  { key, webhooks }: Manifest,
  origin: string,
  variables: Readonly<Record<string, string>>,
): readonly string[] =>
  webhooks.map((webhook) => {
    const missing = missingSecrets(webhook, variables)
    const note = missing.length === 0 ? '' : `  ${coloured('yellow', unverified(missing))}`
    return `  POST ${origin}${hookPath(key, webhook.key)}  ${targetText(webhook)}${note}`
  })

const scheduleLines = ({ schedules }: Manifest, now: number): readonly string[] =>
  schedules.map((schedule) => {
    const { key, cron, timezone } = schedule
    const at = nextFireOf(schedule, now)
    const next = at === null ? 'disabled' : `next ${timeText(at, timezone)} ${timezone}`
    return `  ${key}  ${cron}  ${next}  ${targetText(schedule)}`
  })

const eventLines = ({ events }: Manifest): readonly string[] =>
  events.map((event) => `  ${event.name}  ${targetText(event)}`)

export type DevListing = Readonly<{
  manifest: Manifest
  /** For example `http://localhost:3000`. */
  origin: string
  variables: Readonly<Record<string, string>>
  /** Whether schedules fire. */
  fires: boolean
  now: number
}>

const headed = (head: string, lines: readonly string[]): readonly string[] =>
  lines.length === 0 ? [] : [coloured('bold', head), ...lines]

/** The lines that list what starts work in the app. */
export const devListing = ({
  manifest,
  origin,
  variables,
  fires,
  now,
}: DevListing): readonly string[] => {
  const how = fires ? 'firing when due' : 'not firing: svc dev --schedules, or svc dev fire <key>'
  return [
    ...headed('Webhooks', webhookLines(manifest, origin, variables)),
    ...headed(`Schedules (${how})`, scheduleLines(manifest, now)),
    ...headed('Events (svc dev send <name>)', eventLines(manifest)),
  ]
}

export const printFire = ({ key, outcome, reason }: DevFire): void => {
  const mark = outcome === 'fired' ? coloured('cyan', '⏱') : coloured('yellow', '⏱')
  printLine(`${mark} ${key} ${outcome}${reason === null ? '' : `: ${reason}`}`)
}
