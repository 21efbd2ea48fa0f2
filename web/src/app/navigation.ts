/**
 * One list for the side bar, the palette and the `g` keys. A page in it adds one line:
 * its path, its name, and the scope that opens it (session/session.ts).
 */
import {
  Bell,
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
  Webhook,
  Workflow,
} from 'lucide-react'
import type { Language } from '../language/language.ts'
import { words } from '../language/words.ts'
import type { Need } from '../session/session.ts'
import type { PagePath } from './page-path.ts'

type Words = Readonly<Record<Language, string>>

export const GROUPS = {
  work: { en: 'Work', ko: '운영' },
  build: { en: 'Build', ko: '개발' },
  access: { en: 'Access', ko: '접근' },
  more: { en: 'More', ko: '기타' },
} as const satisfies Readonly<Record<string, Words>>

export type GroupName = keyof typeof GROUPS

export type NavigationEntry = Readonly<{
  to: PagePath
  /** Null if the entry is in the account menu, not in the side bar. */
  group: GroupName | null
  label: Words
  icon: LucideIcon
  need: Need
  /** The key after `g`. */
  key?: string
}>

const entry = (
  to: PagePath,
  group: GroupName | null,
  label: Words,
  icon: LucideIcon,
  need: Need,
  key?: string,
): NavigationEntry => ({ to, group, label, icon, need, ...(key === undefined ? {} : { key }) })

export const NAVIGATION: readonly NavigationEntry[] = [
  entry('/w/$ws', 'work', words.overview, Gauge, 'jobs:read', 'o'),
  entry('/w/$ws/jobs', 'work', words.jobs, ListChecks, 'jobs:read', 'j'),
  entry('/w/$ws/flows', 'work', words.flows, Workflow, 'flows:read', 'f'),
  entry('/w/$ws/flow-runs', 'work', words.flowRuns, Route, 'flows:read', 'r'),
  entry('/w/$ws/approvals', 'work', words.approvals, UserCheck, 'flows:read', 'p'),
  entry('/w/$ws/schedules', 'work', words.schedules, CalendarClock, 'schedules:read', 's'),
  entry('/w/$ws/apps', 'build', words.apps, Package, 'apps:read', 'a'),
  entry('/w/$ws/webhooks', 'build', words.webhooks, Webhook, 'apps:read'),
  entry('/w/$ws/git-sources', 'build', words.gitSources, GitBranch, 'git_sources:read', 'g'),
  entry('/w/$ws/drafts', 'build', words.drafts, FilePen, 'drafts:read', 'd'),
  entry('/w/$ws/variables', 'build', words.variables, Variable, 'variables:read', 'v'),
  entry('/w/$ws/tokens', 'access', words.tokens, KeyRound, 'tokens:read', 't'),
  entry('/w/$ws/api-keys', 'access', words.apiKeys, Key, '*'),
  entry('/w/$ws/customers', 'access', words.customers, Contact, 'consumers:read', 'c'),
  entry('/w/$ws/members', 'access', words.members, Users, 'members:read', 'm'),
  entry('/w/$ws/audit', 'access', words.auditLog, ScrollText, '*'),
  entry('/w/$ws/workers', 'more', words.workers, Server, 'workers:read', 'w'),
  entry('/w/$ws/parser', 'more', words.parser, ScanText, undefined),
  entry('/w/$ws/certificates', 'more', words.certificateRelay, Smartphone, undefined),
  entry('/w/$ws/billing', 'more', words.billing, ReceiptText, '*', 'b'),
  entry('/w/$ws/notifications', 'more', words.notifications, Bell, 'workspace:read', 'n'),
  entry('/w/$ws/settings', 'more', words.settings, Settings, 'workspace:read'),
  entry('/w/$ws/instance', 'more', words.instance, Building2, 'instance', 'i'),
  entry('/w/$ws/account', null, words.account, CircleUser, undefined),
]

/** The name by which a workspace may hide the section: the last part of its path. */
export const sectionOf = ({ to }: Pick<NavigationEntry, 'to'>): string =>
  to.slice(to.lastIndexOf('/') + 1).replaceAll('-', '_')
