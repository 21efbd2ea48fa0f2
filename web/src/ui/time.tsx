/** Times in a readable form. The tooltip shows the exact time with its time zone. */
import { useSyncExternalStore } from 'react'
import { serverNow } from '../browser/server-clock.ts'
import { formatAgo, useFormat } from '../language/format.ts'
import { useLanguage } from '../language/language.ts'

const TICK_MS = 1_000

let now = serverNow()
let timer: ReturnType<typeof setInterval> | null = null
const listeners = new Set<() => void>()

const tick = (): void => {
  if (document.hidden) return
  now = serverNow()
  for (const each of listeners) each()
}

/** One clock for the whole page, which changes only at its ticks and stops while the page is hidden. */
const subscribe = (listener: () => void): (() => void) => {
  listeners.add(listener)
  if (timer === null) {
    now = serverNow()
    timer = setInterval(tick, TICK_MS)
    document.addEventListener('visibilitychange', tick)
  }
  return () => {
    listeners.delete(listener)
    if (listeners.size > 0 || timer === null) return
    clearInterval(timer)
    document.removeEventListener('visibilitychange', tick)
    timer = null
  }
}

/** A text from the current time in milliseconds, updated each second. It renders again only if the text has changed. */
const useClockText = (toText: (now: number) => string): string =>
  useSyncExternalStore(subscribe, () => toText(now))

export type TimeAgoProps = Readonly<{ at: string }>

export const TimeAgo = ({ at }: TimeAgoProps) => {
  const language = useLanguage()
  const { exact } = useFormat()
  const time = new Date(at).getTime()
  const text = useClockText((current) => formatAgo(time, current, language))
  return (
    // in a region that is announced, the seconds of an age would be read out one by one
    <time dateTime={at} title={exact(at)} aria-live="off">
      {text}
    </time>
  )
}

/** Day and minute, for columns in which relative times would change too often. */
export const ShortTime = ({ at }: TimeAgoProps) => {
  const { short, exact } = useFormat()
  return (
    <time dateTime={at} title={exact(at)}>
      {short(at)}
    </time>
  )
}

/** How long something took. */
export const Duration = ({ ms }: Readonly<{ ms: number }>) => {
  const { duration } = useFormat()
  return <span title={`${ms} ms`}>{duration(ms)}</span>
}

/** How long something has been running. */
export const RunningDuration = ({ since }: Readonly<{ since: string }>) => {
  const { duration } = useFormat()
  const from = new Date(since).getTime()
  return (
    <span aria-live="off">{useClockText((current) => duration(Math.max(0, current - from)))}</span>
  )
}
