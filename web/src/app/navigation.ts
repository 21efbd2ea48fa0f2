/**
 * The side bar, the palette and the `g` keys, from one list. A page that belongs there adds one line: where it is, what
 * it is called, which scope opens it (session/session.ts).
 */
import {
  CalendarClock,
  Gauge,
  ListChecks,
  type LucideIcon,
  Route,
  UserCheck,
  Workflow,
} from 'lucide-react'
import type { Language } from '../language/language.ts'
import type { Need } from '../session/session.ts'
import type { PagePath } from './page-path.ts'

type Words = Readonly<Record<Language, string>>

export const GROUPS = {
  work: { en: 'Work', ko: '작업' },
  build: { en: 'Build', ko: '개발' },
  access: { en: 'Access', ko: '접근' },
  more: { en: 'More', ko: '더 보기' },
} as const satisfies Readonly<Record<string, Words>>

export type GroupName = keyof typeof GROUPS

export type NavigationEntry = Readonly<{
  to: PagePath
  group: GroupName
  label: Words
  icon: LucideIcon
  need: Need
  /** After `g`. */
  key?: string
}>

export const NAVIGATION: readonly NavigationEntry[] = [
  // work
  {
    to: '/w/$ws',
    group: 'work',
    label: { en: 'Overview', ko: '개요' },
    icon: Gauge,
    need: 'jobs:read',
    key: 'o',
  },
  {
    to: '/w/$ws/jobs',
    group: 'work',
    label: { en: 'Jobs', ko: '작업' },
    icon: ListChecks,
    need: 'jobs:read',
    key: 'j',
  },
  {
    to: '/w/$ws/flows',
    group: 'work',
    label: { en: 'Flows', ko: '플로우' },
    icon: Workflow,
    need: 'flows:read',
    key: 'f',
  },
  {
    to: '/w/$ws/flow-runs',
    group: 'work',
    label: { en: 'Flow runs', ko: '플로우 실행' },
    icon: Route,
    need: 'flows:read',
    key: 'r',
  },
  {
    to: '/w/$ws/approvals',
    group: 'work',
    label: { en: 'Approvals', ko: '승인' },
    icon: UserCheck,
    need: 'flows:read',
    key: 'a',
  },
  {
    to: '/w/$ws/schedules',
    group: 'work',
    label: { en: 'Schedules', ko: '일정' },
    icon: CalendarClock,
    need: 'schedules:read',
    key: 's',
  },
]
