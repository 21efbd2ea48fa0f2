/** How far back figures go, which is stored in the address. */
import { oneOf } from '../kit/search.ts'

export const WINDOW_NAMES = ['1h', '24h', '7d', '30d'] as const
export type WindowName = (typeof WINDOW_NAMES)[number]

/** Seconds. */
export const WINDOWS: Readonly<Record<WindowName, number>> = {
  '1h': 3_600,
  '24h': 86_400,
  '7d': 604_800,
  '30d': 2_592_000,
}

/** A day, because an hour is empty in a quiet workspace. */
export const DEFAULT_WINDOW: WindowName = '24h'

export const readWindow = (given: unknown): WindowName | undefined => oneOf(WINDOW_NAMES, given)
