/**
 * The side bar, the palette and the `g` keys, from one list. A page that belongs there adds one line: where it is, what
 * it is called, which scope opens it (session/session.ts).
 */
import {
  FilePen,
  Gauge,
  GitBranch,
  KeyRound,
  ListChecks,
  type LucideIcon,
  Package,
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
  // build
  {
    to: '/w/$ws/apps',
    group: 'build',
    label: { en: 'Apps', ko: '앱' },
    icon: Package,
    need: 'apps:read',
    key: 'a',
  },
  {
    to: '/w/$ws/git-sources',
    group: 'build',
    label: { en: 'Git sources', ko: 'git 소스' },
    icon: GitBranch,
    need: 'git_sources:read',
    key: 'g',
  },
  {
    to: '/w/$ws/drafts',
    group: 'build',
    label: { en: 'Drafts', ko: '초안' },
    icon: FilePen,
    need: 'drafts:read',
    key: 'd',
  },
  {
    to: '/w/$ws/variables',
    group: 'build',
    label: { en: 'Variables', ko: '변수' },
    icon: KeyRound,
    need: 'variables:read',
    key: 'v',
  },
]
