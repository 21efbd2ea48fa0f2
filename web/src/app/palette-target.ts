/** The targets of the palette, as data that a browser can store. Pure. */
import { NAVIGATION } from './navigation.ts'
import type { PagePath } from './page-path.ts'

export type Target =
  | Readonly<{ kind: 'page'; to: PagePath }>
  | Readonly<{ kind: 'app'; app: string }>
  | Readonly<{ kind: 'action' | 'function'; app: string; key: string }>
  | Readonly<{ kind: 'flow'; app: string; key: string }>
  /** The form that starts an action or a flow. */
  | Readonly<{ kind: 'run' | 'start'; app: string; key: string }>
  | Readonly<{ kind: 'schedule'; id: string; name: string }>

const MOST_RECENT = 6

export const idOf = (target: Target): string => {
  if (target.kind === 'page') return target.to
  if (target.kind === 'app') return `app ${target.app}`
  return target.kind === 'schedule'
    ? `schedule ${target.id}`
    : `${target.kind} ${target.app}/${target.key}`
}

export const nameOf = (target: Exclude<Target, Readonly<{ kind: 'page' }>>): string => {
  if (target.kind === 'app') return target.app
  return target.kind === 'schedule' ? target.name : `${target.app}/${target.key}`
}

const textOf = (value: object, name: string): string => {
  const text: unknown = Reflect.get(value, name)
  return typeof text === 'string' ? text : ''
}

/** @returns null if the value is not a target */
const readTarget = (value: unknown): Target | null => {
  if (typeof value !== 'object' || value === null) return null
  const kind = textOf(value, 'kind')
  const [app, key, id] = [textOf(value, 'app'), textOf(value, 'key'), textOf(value, 'id')]
  switch (kind) {
    case 'page': {
      const page = NAVIGATION.find(({ to }) => to === textOf(value, 'to'))
      return page === undefined ? null : { kind, to: page.to }
    }
    case 'app':
      return app === '' ? null : { kind, app }
    case 'action':
    case 'function':
    case 'flow':
    case 'run':
    case 'start':
      return app === '' || key === '' ? null : { kind, app, key }
    case 'schedule':
      return id === '' ? null : { kind, id, name: textOf(value, 'name') }
    default:
      return null
  }
}

/** @param kept what the browser stored; anything other than a list of targets is left out */
export const readRecent = (kept: string | null): readonly Target[] => {
  try {
    const list: unknown = JSON.parse(kept ?? '[]')
    return Array.isArray(list) ? list.flatMap((each) => readTarget(each) ?? []) : []
  } catch {
    return []
  }
}

/** @returns the text to store: the newest first, without duplicates */
export const withRecent = (recent: readonly Target[], target: Target): string =>
  JSON.stringify(
    [target, ...recent.filter((each) => idOf(each) !== idOf(target))].slice(0, MOST_RECENT),
  )

const RUN = /^(?:run|start|실행|시작)\s+/i

/** Parses a command: `run hello/greet` asks to run what is named. */
export const readCommand = (typed: string): Readonly<{ isRun: boolean; text: string }> => {
  const text = typed.trim()
  return { isRun: RUN.test(text), text: text.replace(RUN, '') }
}
