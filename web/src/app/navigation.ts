/**
 * The side bar, the palette and the `g` keys, from one list. A page that belongs there adds one line: where it is, what
 * it is called, which scope opens it (session/session.ts).
 */
import {
  Building2,
  CalendarClock,
  CircleUser,
  Contact,
  FilePen,
  Gauge,
  GitBranch,
  Key,
  KeyRound,
  ListChecks,
  type LucideIcon,
  Package,
  ReceiptText,
  Route,
  ScanText,
  ScrollText,
  Server,
  Settings,
  Smartphone,
  UserCheck,
  Users,
  Variable,
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
  /** Null: it stands in the person's own menu, not in the side bar. */
  group: GroupName | null
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
    key: 'p',
  },
  {
    to: '/w/$ws/schedules',
    group: 'work',
    label: { en: 'Schedules', ko: '일정' },
    icon: CalendarClock,
    need: 'schedules:read',
    key: 's',
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
    icon: Variable,
    need: 'variables:read',
    key: 'v',
  },
  // access
  {
    to: '/w/$ws/tokens',
    group: 'access',
    label: { en: 'Tokens', ko: '토큰' },
    icon: KeyRound,
    need: 'tokens:read',
    key: 't',
  },
  {
    to: '/w/$ws/api-keys',
    group: 'access',
    label: { en: 'API keys', ko: 'API 키' },
    icon: Key,
    need: '*',
  },
  {
    to: '/w/$ws/customers',
    group: 'access',
    label: { en: 'Customers', ko: '고객' },
    icon: Contact,
    need: 'consumers:read',
    key: 'c',
  },
  {
    to: '/w/$ws/members',
    group: 'access',
    label: { en: 'Members', ko: '멤버' },
    icon: Users,
    need: 'members:read',
    key: 'm',
  },
  {
    to: '/w/$ws/audit',
    group: 'access',
    label: { en: 'Audit log', ko: '감사 로그' },
    icon: ScrollText,
    need: '*',
  },
  // more
  {
    to: '/w/$ws/workers',
    group: 'more',
    label: { en: 'Workers', ko: '워커' },
    icon: Server,
    need: 'workers:read',
    key: 'w',
  },
  {
    to: '/w/$ws/parser',
    group: 'more',
    label: { en: 'Parser', ko: '문서 파서' },
    icon: ScanText,
    need: undefined,
  },
  {
    to: '/w/$ws/certificates',
    group: 'more',
    label: { en: 'Certificate relay', ko: '인증서 중계' },
    icon: Smartphone,
    need: undefined,
  },
  {
    to: '/w/$ws/billing',
    group: 'more',
    label: { en: 'Billing', ko: '과금' },
    icon: ReceiptText,
    need: '*',
    key: 'b',
  },
  {
    to: '/w/$ws/settings',
    group: 'more',
    label: { en: 'Settings', ko: '설정' },
    icon: Settings,
    need: 'workspace:read',
  },
  {
    to: '/w/$ws/instance',
    group: 'more',
    label: { en: 'Instance', ko: '인스턴스' },
    icon: Building2,
    need: 'instance',
    key: 'i',
  },
  // in the person's menu
  {
    to: '/w/$ws/account',
    group: null,
    label: { en: 'Your account', ko: '내 계정' },
    icon: CircleUser,
    need: undefined,
  },
]
