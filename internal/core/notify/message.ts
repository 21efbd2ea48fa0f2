/** The texts of notifications [notifications 3]. Pure. */
import { isJsonObject, type JsonValue } from '../json/value.ts'

/** What a notification reports; the fields depend on the event. */
export type NotifyData = Readonly<Record<string, JsonValue>>

export type NotifyMessage = Readonly<{
  /** One line. */
  title: string
  /** Further lines. */
  lines: readonly string[]
  /** A page of the console, if its address is known. */
  url: string | null
}>

const textOf = (value: JsonValue | undefined): string =>
  typeof value === 'string'
    ? value
    : value === undefined || value === null
      ? ''
      : JSON.stringify(value)

/** Removes control characters, which would end a header of an e-mail, and cuts long values, which would hide the rest. */
const line = (text: string): string => text.replaceAll(/\p{Cc}+/gu, ' ').slice(0, 500)

/** Formats an error that has a name and a message, because `Error: gone` reads better than its JSON. */
const shownError = (error: JsonValue): string => {
  const { name, message } = isJsonObject(error) ? error : {}
  return typeof name === 'string' && typeof message === 'string'
    ? `${name}: ${message}`
    : `Error: ${textOf(error)}`
}

const errorOf = ({ error }: NotifyData): readonly string[] =>
  error === undefined || error === null ? [] : [line(shownError(error))]

const titleOf = (type: string, data: NotifyData): string => {
  const place = `${textOf(data.app)}/${textOf(data.action ?? data.flow)}`
  switch (type) {
    case 'job_failed':
      return `Job of ${place} failed`
    case 'flow_failed':
      return `Flow ${place} failed`
    case 'schedule_disabled':
      return `Schedule of ${place} was disabled`
    case 'approval_waiting':
      return textOf(data.title) === ''
        ? `${place} waits for an approval`
        : `Approval: ${textOf(data.title)}`
    default:
      return 'Test of notifications'
  }
}

const shownOf = ({ show }: NotifyData): readonly string[] =>
  Array.isArray(show)
    ? show
        .filter(isJsonObject)
        .map(({ label, value }) => line(`${textOf(label)}: ${textOf(value)}`))
    : []

export const toNotifyMessage = (type: string, data: NotifyData): NotifyMessage => ({
  title: line(`[${textOf(data.workspace)}] ${titleOf(type, data)}`),
  lines: [
    ...(textOf(data.description) === '' ? [] : [line(textOf(data.description))]),
    ...shownOf(data),
    ...(textOf(data.reason) === '' ? [] : [line(textOf(data.reason))]),
    ...errorOf(data),
  ],
  url: typeof data.url === 'string' ? data.url : null,
})

/** Escapes the characters that are markup in Slack. */
const escapeSlack = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')

/** Body of an incoming webhook of Slack. */
export const toSlackBody = ({ title, lines, url }: NotifyMessage): string =>
  JSON.stringify({
    text: [
      `*${escapeSlack(title)}*`,
      ...lines.map(escapeSlack),
      ...(url === null ? [] : [`<${url}|Open>`]),
    ].join('\n'),
  })

/** Body of an e-mail. */
export const toMailText = ({ lines, url }: NotifyMessage): string =>
  [...lines, ...(url === null ? [] : ['', url])].join('\n')
