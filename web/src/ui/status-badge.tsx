/** A status by icon, word and colour, so that readers don't depend on only one of them. */
import {
  Ban,
  CircleAlert,
  CircleCheck,
  CircleDashed,
  CircleSlash,
  CircleStop,
  CircleX,
  Clock,
  Hourglass,
  LoaderCircle,
  type LucideIcon,
  Moon,
} from 'lucide-react'
import { defineMessages, useMessages } from '../language/messages.ts'
import styles from './status-badge.module.css'

const messages = defineMessages({
  queued: { en: 'Queued', ko: '대기' },
  suspended: { en: 'Suspended', ko: '일시 중단' },
  pending: { en: 'Pending', ko: '대기' },
  sleeping: { en: 'Sleeping', ko: '휴면 중' },
  waiting_event: { en: 'Waiting', ko: '이벤트 대기' },
  waiting_job: { en: 'Waiting', ko: '결과 대기' },
  running: { en: 'Running', ko: '실행 중' },
  success: { en: 'Success', ko: '성공' },
  completed: { en: 'Completed', ko: '완료' },
  stopped: { en: 'Stopped', ko: '중지됨' },
  failure: { en: 'Failure', ko: '실패' },
  failed: { en: 'Failed', ko: '실패' },
  delivered: { en: 'Delivered', ko: '전달됨' },
  canceled: { en: 'Canceled', ko: '취소됨' },
  waiting_approval: { en: 'Waiting for approval', ko: '승인 대기' },
  skipped: { en: 'Skipped', ko: '건너뜀' },
  rejected: { en: 'Rejected', ko: '반려됨' },
  timed_out: { en: 'Timed out', ko: '시간 초과' },
})

type Look = Readonly<{ icon: LucideIcon; tone: string | undefined }>

export const Badge = ({
  look: { icon: Icon, tone },
  children,
}: Readonly<{ look: Look; children?: string }>) => (
  <span className={`${styles.badge} ${tone}`}>
    <Icon size={15} aria-hidden="true" />
    {children}
  </span>
)

const LOOKS = {
  queued: { icon: Clock, tone: styles.neutral },
  suspended: { icon: Moon, tone: styles.neutral },
  pending: { icon: CircleDashed, tone: styles.neutral },
  sleeping: { icon: Moon, tone: styles.neutral },
  waiting_event: { icon: Hourglass, tone: styles.neutral },
  waiting_job: { icon: Hourglass, tone: styles.neutral },
  running: { icon: LoaderCircle, tone: styles.active },
  success: { icon: CircleCheck, tone: styles.good },
  completed: { icon: CircleCheck, tone: styles.good },
  stopped: { icon: CircleStop, tone: styles.neutral },
  failure: { icon: CircleX, tone: styles.bad },
  failed: { icon: CircleX, tone: styles.bad },
  delivered: { icon: CircleCheck, tone: styles.good },
  canceled: { icon: Ban, tone: styles.neutral },
  waiting_approval: { icon: Hourglass, tone: styles.waiting },
  skipped: { icon: CircleSlash, tone: styles.neutral },
  rejected: { icon: CircleX, tone: styles.bad },
  timed_out: { icon: CircleAlert, tone: styles.bad },
} as const satisfies Readonly<Record<string, Look>>

/** Statuses of jobs, flow runs and their steps. */
export type Status = keyof typeof LOOKS

/** Only the words, for titles and filters. */
export const useStatusWords = () => useMessages(messages)

export const StatusBadge = ({ status }: Readonly<{ status: Status }>) => {
  const words = useStatusWords()
  return <Badge look={LOOKS[status]}>{words[status]}</Badge>
}

/** Only the icon, if the word is next to it. */
export const StatusIcon = ({ status }: Readonly<{ status: Status }>) => (
  <Badge look={LOOKS[status]} />
)
